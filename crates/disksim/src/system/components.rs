//! The components of a file and the blocks they are made from.

use crate::syntax::{Block, DiskSimError, Item, NameRange, Node, Spot, System, Value};
use platterlab_units::nearest;
use std::collections::BTreeMap;

/// Blocks, components and the tree.
pub(crate) struct Components<'a> {
    blocks: &'a [Block],
    /// Component to block, in the order in which the file makes them.
    made: Vec<(String, &'a Block)>,
    root: &'a Node,
}

/// Kinds of components that requests are addressed to.
const DEVICES: [&str; 2] = ["disksim_disk", "disksim_simpledisk"];

/// Every kind of block at the top of a file but those of the drive model, which begin with `dm_`;
/// `disksim_stats` says only what is printed.
const KINDS: [&str; 15] = [
    "disksim_global",
    "disksim_stats",
    "disksim_iosim",
    "disksim_pf",
    "disksim_synthio",
    "disksim_iodriver",
    "disksim_bus",
    "disksim_ctlr",
    "disksim_disk",
    "disksim_simpledisk",
    "disksim_logorg",
    "disksim_syncset",
    "disksim_ioqueue",
    "disksim_cachemem",
    "disksim_cachedev",
];

impl<'a> Components<'a> {
    pub(crate) fn of(system: &'a System, file: &str) -> Result<Self, DiskSimError> {
        let mut made: Vec<(String, &Block)> = Vec::new();
        for instance in &system.instances {
            let named = |block: &&Block| block.name.as_deref() == Some(instance.of.as_str());
            let Some(block) = system.blocks.iter().find(named) else {
                let names = system.blocks.iter().filter_map(|block| block.name.as_deref());
                let hint = nearest(&instance.of, names)
                    .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let what = format!("there is no block `{}`{hint}", instance.of);
                return Err(instance.spot.error(what));
            };
            for range in &instance.names {
                let names = range.all();
                if names.is_empty() {
                    let what =
                        format!("`{}` to {:?} is not a range of names", range.first, range.last);
                    return Err(instance.spot.error(what));
                }
                for name in names {
                    if made.iter().any(|(known, _)| *known == name) {
                        let what = format!("component `{name}` is made twice");
                        return Err(instance.spot.error(what));
                    }
                    made.push((name, block));
                }
            }
        }
        let [root] = system.topology.as_slice() else {
            let what = format!("has {} topologies; it needs one", system.topology.len());
            return Err(DiskSimError::of_file(file, what));
        };
        Ok(Self { blocks: &system.blocks, made, root })
    }

    /// Whether every block is of a kind that is read somewhere, or that nothing depends on.
    pub(crate) fn check_kinds(&self) -> Result<(), DiskSimError> {
        for block in self.blocks {
            let kind = block.kind.as_str();
            if !KINDS.contains(&kind) && !kind.starts_with("dm_") {
                let near = nearest(kind, KINDS).map(|near| format!("; did you mean `{near}`?"));
                let what = format!("`{kind}` is not a kind of block{}", near.unwrap_or_default());
                return Err(block.spot.error(what));
            }
        }
        Ok(())
    }

    /// The top of the tree.
    pub(crate) fn root(&self) -> &'a Node {
        self.root
    }

    /// The block that a component is made from.
    pub(crate) fn block(&self, name: &str, at: &Spot) -> Result<&'a Block, DiskSimError> {
        if let Some((_, block)) = self.made.iter().find(|(known, _)| known == name) {
            return Ok(block);
        }
        // A block may stand for itself.
        if let Some(block) = self.blocks.iter().find(|block| block.name.as_deref() == Some(name)) {
            return Ok(block);
        }
        let known = self.made.iter().map(|(name, _)| name.as_str());
        let hint =
            nearest(name, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(at.error(format!("component `{name}` is made nowhere{hint}")))
    }

    /// Every block of a kind, whether components are made from it or not.
    pub(crate) fn blocks_of_kind(&self, kind: &str) -> impl Iterator<Item = &'a Block> + use<'a> {
        let kind = kind.to_owned();
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// The only block of a kind, if there is one.
    pub(crate) fn block_of_kind(&self, kind: &str) -> Result<Option<&'a Block>, DiskSimError> {
        let mut all = self.blocks_of_kind(kind);
        match (all.next(), all.next()) {
            (_, Some(second)) => Err(second.spot.error(format!("a second {kind} block"))),
            (first, None) => Ok(first),
        }
    }

    /// The devices in the order in which the file makes them: their numbers in traces.
    pub(crate) fn devices(&self) -> Vec<&str> {
        let device = |(_, block): &&(String, &Block)| DEVICES.contains(&block.kind.as_str());
        self.made.iter().filter(device).map(|(name, _)| name.as_str()).collect()
    }

    /// The names of a list such as `[ disk0 .. disk3, disk7 ]`.
    pub(crate) fn names(items: &[Item]) -> Result<Vec<(String, Spot)>, DiskSimError> {
        let mut all: Vec<(String, Spot)> = Vec::new();
        let mut items = items.iter();
        while let Some(item) = items.next() {
            let Item { value: Value::Word(word), spot } = item else {
                return Err(item.error("cannot stand here; write names"));
            };
            if word != ".." {
                all.push((word.clone(), spot.clone()));
                continue;
            }
            let (Some((first, _)), Some(Item { value: Value::Word(last), .. })) =
                (all.pop(), items.next())
            else {
                return Err(spot.error("write a name before and after `..`"));
            };
            let range = NameRange { first, last: Some(last.clone()) };
            let names = range.all();
            if names.is_empty() {
                return Err(spot.error(format!("`{}` to `{last}` is not a range", range.first)));
            }
            all.extend(names.into_iter().map(|name| (name, spot.clone())));
        }
        Ok(all)
    }
}

/// Puts other values in place of those of components' blocks.
///
/// A block that is changed is changed for every component made from it.
pub(crate) fn apply(
    system: &mut System,
    overrides: &[(String, String, Value)],
    file: &str,
) -> Result<(), DiskSimError> {
    let of: BTreeMap<String, String> = system
        .instances
        .iter()
        .flat_map(|made| made.names.iter().flat_map(NameRange::all).map(|n| (n, made.of.clone())))
        .collect();
    for (component, parameter, value) in overrides {
        let name = of.get(component).unwrap_or(component);
        let block = system.blocks.iter_mut().find(|block| block.name.as_ref() == Some(name));
        let Some(block) = block else {
            let what = format!("has no component `{component}` to set `{parameter}` of");
            return Err(DiskSimError::of_file(file, what));
        };
        let (inner, parameter) = match parameter.split_once(':') {
            Some((inner, parameter)) => (Some(inner.trim()), parameter.trim()),
            None => (None, parameter.as_str()),
        };
        let fields = match inner {
            None => Some(&mut block.fields),
            Some(inner) => block.fields.iter_mut().find_map(|field| match &mut field.value {
                Value::Block(block) if field.name == inner => Some(&mut block.fields),
                _ => None,
            }),
        };
        let field =
            fields.and_then(|fields| fields.iter_mut().find(|field| field.name == *parameter));
        let Some(field) = field else {
            let what = format!("`{component}` does not state `{parameter}`, so it cannot be set");
            return Err(DiskSimError::of_file(file, what));
        };
        field.value = value.clone();
    }
    Ok(())
}
