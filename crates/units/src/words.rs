//! Enums each of whose variants is a word: the list of them and their words follow.

use crate::nearest::meant;

/// The one of a word among all of an enum.
///
/// # Errors
/// There is none: what it may have been.
pub fn named<W: Copy, const COUNT: usize>(
    word: &str,
    all: [W; COUNT],
    name: fn(W) -> &'static str,
) -> Result<W, String> {
    let found = all.into_iter().find(|it| name(*it) == word);
    found.ok_or_else(|| meant(word, &all.map(name)))
}

/// Declares an enum of words: `Variant = "word"`, from which it has `ALL` and `name`.
#[macro_export]
macro_rules! words {
    ($(#[$about:meta])* $see:vis enum $name:ident {
        $($(#[$means:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $see enum $name {
            $($(#[$means])* $variant,)+
        }

        impl $name {
            /// All of them, in the order of their numbers.
            $see const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word for it.
            #[must_use]
            $see const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}
