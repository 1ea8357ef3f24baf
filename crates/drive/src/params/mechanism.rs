//! Parameters of the arm's movement and the platter's rotation.

use platterlab_units::{Angle, Span};

/// How the arm moves and the platter turns.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismParams {
    /// One revolution.
    pub rotation: Span,
    /// Position of the platter at time zero.
    pub phase: Angle,
    /// How much the platter falls behind with each sector that passes under the head, once the head
    /// leaves them.
    pub sector_lag: Span,
    /// How the platter's speed varies; not at all where `None`.
    pub drift: Option<SpeedDrift>,
    /// The recalibration of the arm; never where `None`.
    pub recalibration: Option<Recalibration>,
    /// How the time until a sector comes around is found.
    pub latency: Latency,
    /// Seek time against distance, settling for a read included.
    pub seek: SeekCurve,
    /// The same for seeks to lower cylinders, where they take another time.
    pub seek_back: Option<SeekCurve>,
    /// How much longer or shorter than that the first seek of a request is at most, drawn evenly by
    /// chance; as long as that where `None`.
    pub seek_scatter: Option<SeekCurve>,
    /// Before a command on the track the head is on already, by operation.
    pub resettle: [Span; 2],
    /// From one surface to another on the same cylinder, by operation, settling included.
    pub head_switch: [Span; 2],
    /// From a cylinder's last track to the next cylinder's first within one transfer; the seek
    /// curve at distance 1 where `None`.
    pub track_switch: Option<Span>,
    /// Added to every seek and track switch, by operation.
    pub settle: [Span; 2],
    /// Whether sectors take time to pass under the head.
    pub media_transfer: bool,
}

/// A speed that rises and falls evenly around its mean (Ruemmler and Wilkes 1994: spindles keep their
/// speed within 0.5 to 1 %, and vary slowly). What it amounts to shows at the next command: within
/// one the platter turns evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeedDrift {
    /// The most that it deviates to either side, in parts per million.
    pub most_ppm: u32,
    /// From one time at which it is the mean and rises to the next.
    pub period: Span,
}

/// Thermal recalibration of the arm's tables (Ruemmler and Wilkes 1994: 500 to 800 ms, every 15 to 30
/// minutes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recalibration {
    /// From one to the next, the first so long after time zero.
    pub every: Span,
    /// How long the mechanism has no time for commands.
    pub takes: Span,
}

/// How the time until a sector comes around is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Latency {
    /// From the exact position of the platter.
    #[default]
    Tracked,
    /// Drawn evenly from one revolution, once a request.
    Uniform,
    /// Half a revolution, once a request.
    Mean,
    /// None.
    Off,
}

/// Seek time against distance, settling for a read included. Distance 0 takes no time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum SeekCurve<T = Span> {
    /// The same for every distance.
    Constant {
        /// Time of any seek in milliseconds.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
        #[cfg_attr(feature = "file", serde(rename = "time_ms"))]
        time: T,
    },
    /// A straight line between the two times a data sheet gives.
    Linear {
        /// Time to the next cylinder in milliseconds.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
        #[cfg_attr(feature = "file", serde(rename = "single_ms"))]
        single: T,
        /// Time from the first cylinder to the last in milliseconds.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
        #[cfg_attr(feature = "file", serde(rename = "full_ms"))]
        full: T,
    },
    /// `a + b*sqrt(distance)` below the boundary, `c + e*distance` from it on (Ruemmler and Wilkes
    /// 1994, Table 2).
    TwoPiece {
        /// `[a, b]` in milliseconds.
        short_ms: [f64; 2],
        /// `[c, e]` in milliseconds.
        long_ms: [f64; 2],
        /// First distance of the long piece, in cylinders.
        #[cfg_attr(feature = "file", schemars(range(min = 1, max = crate::MOST_CYLINDERS)))]
        boundary_cylinders: u32,
        /// Times in milliseconds of the first distances, from 1 on, in place of the formula's.
        #[cfg_attr(
            feature = "file",
            serde(rename = "first_ms", default, skip_serializing_if = "Vec::is_empty")
        )]
        first: Vec<T>,
    },
    /// `a*sqrt(distance - 1) + b*(distance - 1) + c` through the three times a data sheet gives
    /// (Lee 1991).
    ThreePoint {
        /// Time to the next cylinder in milliseconds.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
        #[cfg_attr(feature = "file", serde(rename = "single_ms"))]
        single: T,
        /// Mean time over all pairs of cylinders in milliseconds.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
        #[cfg_attr(feature = "file", serde(rename = "average_ms"))]
        average: T,
        /// Time from the first cylinder to the last in milliseconds.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
        #[cfg_attr(feature = "file", serde(rename = "full_ms"))]
        full: T,
    },
    /// Measured points, linear between them and beyond the last two.
    Table {
        /// `[distance in cylinders, time in milliseconds]`; distances rise.
        #[cfg_attr(feature = "file", schemars(length(min = 1)))]
        points: Vec<(u32, T)>,
    },
}

impl<T> SeekCurve<T> {
    /// The same in another unit of time; each is converted together with the key that states it.
    ///
    /// # Errors
    /// The first that cannot be converted.
    pub fn in_units<U, E>(
        &self,
        time: impl Fn(&T, &str) -> Result<U, E>,
    ) -> Result<SeekCurve<U>, E> {
        let each = |times: &[T], key: &str| -> Result<Vec<U>, E> {
            times.iter().enumerate().map(|(i, it)| time(it, &format!("{key}[{i}]"))).collect()
        };
        Ok(match self {
            Self::Constant { time: it } => SeekCurve::Constant { time: time(it, "time_ms")? },
            Self::Linear { single, full } => SeekCurve::Linear {
                single: time(single, "single_ms")?,
                full: time(full, "full_ms")?,
            },
            Self::TwoPiece { short_ms, long_ms, boundary_cylinders, first } => {
                SeekCurve::TwoPiece {
                    short_ms: *short_ms,
                    long_ms: *long_ms,
                    boundary_cylinders: *boundary_cylinders,
                    first: each(first, "first_ms")?,
                }
            }
            Self::ThreePoint { single, average, full } => SeekCurve::ThreePoint {
                single: time(single, "single_ms")?,
                average: time(average, "average_ms")?,
                full: time(full, "full_ms")?,
            },
            Self::Table { points } => {
                let point =
                    |(i, (d, it)): (usize, &(u32, T))| Ok((*d, time(it, &format!("points[{i}]"))?));
                SeekCurve::Table {
                    points: points.iter().enumerate().map(point).collect::<Result<_, E>>()?,
                }
            }
        })
    }
}
