//! Reads DiskSim's parameter text, and the files it draws in with `source`.

use super::error::{DiskSimError, Spot};
use super::text::{Token, number, tokens};
use super::tree::{Block, Field, Instance, Item, NameRange, Node, System, Value};
use std::sync::Arc;

/// Files may draw in files so deep.
const DEEPEST_SOURCE: usize = 32;
/// The limit on all of them.
const MOST_SOURCES: usize = 1_000;
/// Blocks, lists and components may stand in each other so deep.
const DEEPEST_NESTING: usize = 64;

/// Finds the text of a file by the name that stands in another.
pub type Resolver<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

/// Reads a file and all it draws in.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse(path: &str, resolver: &mut Resolver<'_>) -> Result<System, DiskSimError> {
    let text = resolver(path).map_err(|what| DiskSimError::of_file(path, what))?;
    let mut sources = 0;
    let mut parser = Parser::new(path, &text, resolver, &mut sources, 0);
    parser.system()
}

struct Parser<'a, 'r> {
    tokens: std::iter::Peekable<std::vec::IntoIter<(Token, Spot)>>,
    end: Spot,
    resolver: &'a mut Resolver<'r>,
    sources: &'a mut usize,
    depth: usize,
}

impl<'a, 'r> Parser<'a, 'r> {
    fn new(
        path: &str,
        text: &str,
        resolver: &'a mut Resolver<'r>,
        sources: &'a mut usize,
        depth: usize,
    ) -> Self {
        let tokens = tokens(text, &Arc::from(path));
        Self {
            tokens: tokens.list.into_iter().peekable(),
            end: tokens.end,
            resolver,
            sources,
            depth,
        }
    }

    fn system(&mut self) -> Result<System, DiskSimError> {
        let mut system = System::default();
        while let Some((token, spot)) = self.tokens.next() {
            match token {
                Token::Word(word) => self.item(&word, spot, &mut system)?,
                // Some files end their blocks with a comma, as within a value.
                Token::Mark(',') => {}
                Token::Mark(_) => {
                    let what = format!(
                        "{} cannot stand here; write a block, such as `disksim_disk NAME {{`",
                        token.describe()
                    );
                    return Err(spot.error(what));
                }
            }
        }
        Ok(system)
    }

    fn item(&mut self, word: &str, spot: Spot, system: &mut System) -> Result<(), DiskSimError> {
        match word {
            "source" => {
                let mut drawn = self.source(&spot)?;
                system.blocks.append(&mut drawn.blocks);
                system.instances.append(&mut drawn.instances);
                system.topology.append(&mut drawn.topology);
            }
            "instantiate" => system.instances.push(self.instance(spot)?),
            "topology" => {
                let (kind, _) = self.word("a component's type")?;
                system.topology.push(self.node(kind, 0)?);
            }
            kind => {
                // A file drawn in as a value may hold a block without a name.
                let nameless = matches!(self.tokens.peek(), Some((Token::Mark('{'), _)));
                let name = match nameless && self.depth > 0 {
                    true => None,
                    false => Some(self.word("the block's name")?.0),
                };
                self.mark('{')?;
                system.blocks.push(self.block(kind.to_owned(), name, spot, 0)?);
            }
        }
        Ok(())
    }

    /// The file whose name follows `source`.
    fn source(&mut self, at: &Spot) -> Result<System, DiskSimError> {
        let (name, spot) = self.word("a file's name")?;
        *self.sources += 1;
        if self.depth >= DEEPEST_SOURCE || *self.sources > MOST_SOURCES {
            let what = format!(
                "files draw each other in more than {DEEPEST_SOURCE} deep or {MOST_SOURCES} times; \
                 does `{name}` draw in itself?"
            );
            return Err(at.error(what));
        }
        let text = (self.resolver)(&name).map_err(|what| spot.error(what))?;
        let depth = self.depth + 1;
        Parser::new(&name, &text, self.resolver, self.sources, depth).system()
    }

    fn instance(&mut self, spot: Spot) -> Result<Instance, DiskSimError> {
        self.mark('[')?;
        let mut names: Vec<NameRange> = Vec::new();
        loop {
            match self.next("a component's name or `]`")? {
                (Token::Mark(']'), _) => break,
                (Token::Mark(','), _) => {}
                (Token::Word(word), at) if word == ".." => {
                    let (last, _) = self.word("the last component's name")?;
                    match names.last_mut() {
                        Some(range) if range.last.is_none() => range.last = Some(last),
                        _ => return Err(at.error("write a component's name before `..`")),
                    }
                }
                (Token::Word(word), _) => names.push(match word.split_once("..") {
                    Some((first, last)) => {
                        NameRange { first: first.to_owned(), last: Some(last.to_owned()) }
                    }
                    None => NameRange { first: word, last: None },
                }),
                (other, at) => return Err(expected(&other, &at, "a component's name or `]`")),
            }
        }
        let (word, at) = self.word("`as`")?;
        if word != "as" {
            return Err(at.error(format!("`{word}` cannot stand here; write `as`")));
        }
        let (of, _) = self.word("the name of a block")?;
        Ok(Instance { names, of, spot })
    }

    /// A component of the topology, its type having been read.
    fn node(&mut self, kind: String, nesting: usize) -> Result<Node, DiskSimError> {
        let (name, spot) = self.word("a component's name")?;
        if nesting > DEEPEST_NESTING {
            return Err(spot.error("components are nested too deep"));
        }
        self.mark('[')?;
        let mut children = Vec::new();
        loop {
            match self.next("a component or `]`")? {
                (Token::Mark(']'), _) => return Ok(Node { kind, name, spot, children }),
                (Token::Mark(','), _) => {}
                (Token::Word(kind), _) => children.push(self.node(kind, nesting + 1)?),
                (other, at) => return Err(expected(&other, &at, "a component or `]`")),
            }
        }
    }

    /// A block's parameters, its opening brace having been read.
    fn block(
        &mut self,
        kind: String,
        name: Option<String>,
        spot: Spot,
        nesting: usize,
    ) -> Result<Block, DiskSimError> {
        if nesting > DEEPEST_NESTING {
            return Err(spot.error("blocks are nested too deep"));
        }
        let mut fields = Vec::new();
        loop {
            match self.next("a parameter or `}`")? {
                (Token::Mark('}'), _) => return Ok(Block { kind, name, fields, spot }),
                (Token::Word(word), at) => fields.push(self.field(word, at, nesting)?),
                (other, at) => return Err(expected(&other, &at, "a parameter or `}`")),
            }
            match self.next("`,` or `}`")? {
                (Token::Mark(','), _) => {}
                (Token::Mark('}'), _) => return Ok(Block { kind, name, fields, spot }),
                (other, at) => return Err(expected(&other, &at, "`,` or `}`")),
            }
        }
    }

    fn field(&mut self, first: String, spot: Spot, nesting: usize) -> Result<Field, DiskSimError> {
        let mut name = first;
        loop {
            match self.next("`=`")? {
                (Token::Mark('='), _) => break,
                (Token::Word(word), _) => {
                    name.push(' ');
                    name.push_str(&word);
                }
                (other, at) => {
                    return Err(expected(&other, &at, &format!("`=` after `{name}`")));
                }
            }
        }
        let (value, value_spot) = self.value(nesting)?;
        Ok(Field { name, spot, value, value_spot })
    }

    fn value(&mut self, nesting: usize) -> Result<(Value, Spot), DiskSimError> {
        let (token, spot) = self.next("a value")?;
        let value = match token {
            Token::Mark('[') => self.list(&spot, nesting + 1)?,
            Token::Mark(_) => return Err(expected(&token, &spot, "a value")),
            Token::Word(word) => self.word_value(word, &spot, nesting)?,
        };
        Ok((value, spot))
    }

    fn word_value(
        &mut self,
        word: String,
        spot: &Spot,
        nesting: usize,
    ) -> Result<Value, DiskSimError> {
        if word == "source" {
            let mut blocks = self.source(spot)?.blocks;
            return match (blocks.pop(), blocks.is_empty()) {
                (Some(block), true) => Ok(Value::Block(block)),
                _ => Err(spot.error("the file must hold one block to be drawn in as a value")),
            };
        }
        match self.tokens.peek() {
            Some((Token::Mark('{'), _)) => {
                self.tokens.next();
                Ok(Value::Block(self.block(word, None, spot.clone(), nesting + 1)?))
            }
            Some((Token::Word(_), _)) => {
                let (name, _) = self.word("the block's name")?;
                if !matches!(self.tokens.peek(), Some((Token::Mark('{'), _))) {
                    let what = format!("write `,` between `{word}` and `{name}`");
                    return Err(spot.error(what));
                }
                self.tokens.next();
                Ok(Value::Block(self.block(word, Some(name), spot.clone(), nesting + 1)?))
            }
            _ => Ok(number(&word).map_or(Value::Word(word), Value::Number)),
        }
    }

    /// A list, its opening bracket having been read.
    fn list(&mut self, spot: &Spot, nesting: usize) -> Result<Value, DiskSimError> {
        if nesting > DEEPEST_NESTING {
            return Err(spot.error("lists are nested too deep"));
        }
        let mut items = Vec::new();
        loop {
            match self.tokens.peek() {
                Some((Token::Mark(']'), _)) => {
                    self.tokens.next();
                    return Ok(Value::List(items));
                }
                Some((Token::Mark(','), _)) => {
                    self.tokens.next();
                }
                // A range of names, as in `devices`.
                Some((Token::Word(word), _)) if word == ".." => {
                    let (dots, spot) = self.word("`..`")?;
                    items.push(Item { value: Value::Word(dots), spot });
                }
                Some(_) => items.push(self.list_value(nesting)?),
                None => return Err(self.end.error("the file ends within a list; write `]`")),
            }
        }
    }

    /// A value in a list, where `disk0 .. disk3` may stand without commas.
    fn list_value(&mut self, nesting: usize) -> Result<Item, DiskSimError> {
        let (token, spot) = self.next("a value")?;
        let value = match token {
            Token::Mark('[') => self.list(&spot, nesting + 1)?,
            Token::Mark(_) => return Err(expected(&token, &spot, "a value")),
            Token::Word(word) => match self.tokens.peek() {
                Some((Token::Word(next), _)) if next == ".." => Value::Word(word),
                _ => self.word_value(word, &spot, nesting)?,
            },
        };
        Ok(Item { value, spot })
    }

    fn next(&mut self, wanted: &str) -> Result<(Token, Spot), DiskSimError> {
        self.tokens
            .next()
            .ok_or_else(|| self.end.error(format!("the file ends here; write {wanted}")))
    }

    fn word(&mut self, wanted: &str) -> Result<(String, Spot), DiskSimError> {
        match self.next(wanted)? {
            (Token::Word(word), spot) => Ok((word, spot)),
            (other, spot) => Err(expected(&other, &spot, wanted)),
        }
    }

    fn mark(&mut self, mark: char) -> Result<(), DiskSimError> {
        match self.next(&format!("`{mark}`"))? {
            (Token::Mark(found), _) if found == mark => Ok(()),
            (other, spot) => Err(expected(&other, &spot, &format!("`{mark}`"))),
        }
    }
}

fn expected(found: &Token, spot: &Spot, wanted: &str) -> DiskSimError {
    spot.error(format!("{} cannot stand here; write {wanted}", found.describe()))
}
