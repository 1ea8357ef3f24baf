//! A column of a row group: its pages, and what the file states of them.
//!
//! The columns are of four stored types and of words. The library's own writers take any array of
//! Arrow's, which would be an eighth of the core, and pass every number on four times.

use crate::batch::{Number, Values};
use crate::encoding;
use parquet::basic::{Compression, Encoding, EncodingMask};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

/// Rows of a page: what they take as numbers and as bytes stays in a second-level cache.
const PAGE_ROWS: usize = 1 << 14;

/// How the numbers of a column are laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) encoding: Encoding,
    /// Whether what comes out of that is packed with LZ4.
    pub(crate) packed: bool,
    /// Whether the least and the largest number are stored.
    pub(crate) sought: bool,
}

/// A column, as it goes into the file, and what the file states of it.
pub(crate) struct Chunk {
    pub(crate) bytes: Vec<u8>,
    pub(crate) close: ColumnCloseResult,
}

impl Chunk {
    /// Encodes a column, in the `room` that is given.
    ///
    /// # Errors
    /// It is larger than a column can be.
    pub(crate) fn new(
        stored: &ColumnDescPtr,
        layout: Layout,
        values: Values<'_>,
        mut room: Vec<u8>,
    ) -> Result<Self, ParquetError> {
        room.clear();
        let mut bytes = TrackedWrite::new(room);
        let mut pages = Pages {
            to: SerializedPageWriter::new(&mut bytes),
            layout,
            optional: stored.max_def_level() > 0,
            dictionary: None,
            data: Vec::new(),
            rows: 0,
        };
        pages.add(values)?;
        pages.to.close()?;
        let close = pages.closed(stored, if layout.sought { extremes(values) } else { None })?;
        Ok(Self { bytes: bytes.into_inner()?, close })
    }
}

/// The pages of a column.
struct Pages<'a> {
    to: SerializedPageWriter<'a, Vec<u8>>,
    layout: Layout,
    /// Whether a row may have no value.
    optional: bool,
    dictionary: Option<PageWriteSpec>,
    /// Those of values, each with its first row.
    data: Vec<(PageWriteSpec, usize)>,
    rows: usize,
}

impl Pages<'_> {
    /// Adds all values.
    fn add(&mut self, values: Values<'_>) -> Result<(), ParquetError> {
        let encoding = self.layout.encoding;
        match values {
            Values::Doubles(values) if encoding == Encoding::BYTE_STREAM_SPLIT => {
                self.numbers(values, encoding::split)
            }
            Values::Doubles(values) => self.numbers(values, |some, page| {
                encoding::plain(some.iter().map(|value| value.to_le_bytes()), page);
            }),
            Values::Whole16(values) => self.numbers(values, |some, page| {
                encoding::plain(some.iter().map(|value| u32::from(*value).to_le_bytes()), page);
            }),
            Values::Whole32(values) => self.numbers(values, |some, page| {
                encoding::plain(some.iter().map(|value| value.to_le_bytes()), page);
            }),
            Values::Whole64(values) if encoding == Encoding::DELTA_BINARY_PACKED => {
                self.numbers(values, encoding::differences)
            }
            Values::Whole64(values) => self.numbers(values, |some, page| {
                encoding::plain(some.iter().map(|value| value.to_le_bytes()), page);
            }),
            Values::Words(codes, words) => self.words(codes, words),
        }
    }

    /// Adds numbers, each where there is one.
    fn numbers<T: Number>(
        &mut self,
        values: &[T],
        encode: impl Fn(&[T], &mut Vec<u8>),
    ) -> Result<(), ParquetError> {
        for values in values.chunks(PAGE_ROWS) {
            let mut page = Vec::with_capacity(size_of_val(values) + PAGE_ROWS);
            if self.optional {
                levels(values, &mut page);
            }
            if self.optional && values.iter().any(|value| value.is_none()) {
                let there = values.iter().copied().filter(|value| !value.is_none());
                encode(&there.collect::<Vec<_>>(), &mut page);
            } else {
                encode(values, &mut page);
            }
            self.page(page, values.len())?;
        }
        Ok(())
    }

    /// Adds words by their codes, of which every row has one. The library would look each row's word
    /// up again to find its code.
    fn words(&mut self, codes: &[u8], words: &[String]) -> Result<(), ParquetError> {
        let mut buf = Vec::new();
        for word in words {
            buf.extend(u32::try_from(word.len())?.to_le_bytes());
            buf.extend(word.as_bytes());
        }
        let bytes = buf.len();
        let page = Page::DictionaryPage {
            buf: buf.into(),
            num_values: u32::try_from(words.len())?,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        self.dictionary = Some(self.to.write_page(CompressedPage::new(page, bytes))?);
        let bits = encoding::bits_of(words.len());
        for codes in codes.chunks(PAGE_ROWS) {
            let mut page = vec![bits.to_le_bytes()[0]];
            encoding::codes(codes, bits, &mut page);
            self.page(page, codes.len())?;
        }
        Ok(())
    }

    /// Adds a page of this many rows.
    fn page(&mut self, page: Vec<u8>, rows: usize) -> Result<(), ParquetError> {
        let bytes = page.len();
        let page = Page::DataPage {
            buf: if self.layout.packed { lz4_flex::block::compress(&page) } else { page }.into(),
            num_values: u32::try_from(rows)?,
            encoding: self.layout.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let told = self.to.write_page(CompressedPage::new(page, bytes))?;
        self.data.push((told, self.rows));
        self.rows += rows;
        Ok(())
    }

    /// The file's statements about them.
    fn closed(
        self,
        stored: &ColumnDescPtr,
        statistics: Option<Statistics>,
    ) -> Result<ColumnCloseResult, ParquetError> {
        let all = || self.dictionary.iter().chain(self.data.iter().map(|(page, _)| page));
        let place = |page: &PageWriteSpec| i64::try_from(page.offset);
        let mut encodings = vec![Encoding::RLE, self.layout.encoding];
        encodings.extend(self.dictionary.as_ref().map(|_| Encoding::PLAIN));
        let compression =
            if self.layout.packed { Compression::LZ4_RAW } else { Compression::UNCOMPRESSED };
        let first = self.data.first().map(|(page, _)| place(page)).transpose()?;
        let mut metadata = ColumnChunkMetaData::builder(stored.clone())
            .set_compression(compression)
            .set_encodings_mask(EncodingMask::new_from_encodings(encodings.iter()))
            .set_total_compressed_size(i64::try_from(
                all().map(|page| page.compressed_size).sum::<usize>(),
            )?)
            .set_total_uncompressed_size(i64::try_from(
                all().map(|page| page.uncompressed_size).sum::<usize>(),
            )?)
            .set_num_values(i64::try_from(self.rows)?)
            .set_dictionary_page_offset(self.dictionary.as_ref().map(place).transpose()?)
            .set_data_page_offset(first.unwrap_or_default());
        if let Some(statistics) = statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let locations = self.data.iter().map(|(page, first_row)| {
            Ok(PageLocation {
                offset: place(page)?,
                compressed_page_size: i32::try_from(page.compressed_size)?,
                first_row_index: i64::try_from(*first_row)?,
            })
        });
        Ok(ColumnCloseResult {
            bytes_written: all().map(|page| page.bytes_written).sum(),
            rows_written: self.rows as u64,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(OffsetIndexMetaData {
                page_locations: locations.collect::<Result<_, ParquetError>>()?,
                unencoded_byte_array_data_bytes: None,
            }),
        })
    }
}

/// Which rows have a value, with how many bytes that takes before it.
fn levels<T: Number>(values: &[T], page: &mut Vec<u8>) {
    let there: Vec<u8> = values.iter().map(|value| u8::from(!value.is_none())).collect();
    let mut told = Vec::new();
    encoding::codes(&there, 1, &mut told);
    page.extend((told.len() as u32).to_le_bytes());
    page.extend(told);
}

/// The least and the largest number, and how many rows have none.
fn extremes(values: Values<'_>) -> Option<Statistics> {
    match values {
        Values::Doubles(values) => {
            let there = || values.iter().copied().filter(|value| !value.is_none());
            let nulls = (values.len() - there().count()) as u64;
            // Both zeros lie in it: the format stores the lower one.
            let least = there().reduce(f64::min).map(|ms| if ms == 0.0 { -0.0 } else { ms });
            let most = there().reduce(f64::max);
            Some(Statistics::double(least, most, None, Some(nulls), false))
        }
        Values::Whole64(values) => {
            let there = || values.iter().copied().filter(|value| !value.is_none());
            let nulls = (values.len() - there().count()) as u64;
            let [least, most] = [there().min(), there().max()];
            let [least, most] = [least, most].map(|value| value.map(u64::cast_signed));
            Some(Statistics::int64(least, most, None, Some(nulls), false))
        }
        _ => None,
    }
}
