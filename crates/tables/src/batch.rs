//! Columns of rows as Arrow's record batches, without a copy of a number.

use crate::columns::{COMMANDS, REQUESTS};
use arrow_array::types::UInt8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, PrimitiveArray, RecordBatch, StringArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array, types::ArrowPrimitiveType,
};
use arrow_schema::{ArrowError, Schema};
use platterlab_results::{Columns, RequestColumns, RequestRow, Row};
use platterlab_units::Operation;
use std::sync::Arc;

/// Words by their codes.
pub(crate) type Words = Arc<StringArray>;

/// The words of the columns of words, in the order of their codes.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    operation: Words,
    cache: Words,
    class: Words,
}

impl Labels {
    pub(crate) fn new(cache: &[&str]) -> Self {
        let operations = [Operation::Read, Operation::Write].map(|operation| operation.to_string());
        Self {
            operation: Arc::new(StringArray::from_iter_values(operations)),
            cache: Arc::new(StringArray::from_iter_values(cache)),
            class: Arc::new(StringArray::from_iter_values(RequestRow::CLASSES)),
        }
    }
}

/// Commands as a batch of the schema of [`COMMANDS`].
pub(crate) fn commands(
    columns: Columns,
    labels: &Labels,
    schema: &Arc<Schema>,
) -> Result<RecordBatch, ArrowError> {
    let Columns {
        arrival_ms,
        issue_ms,
        completion_ms,
        response_ms,
        queue_ms,
        service_ms,
        parts_ms,
        lba,
        sectors,
        device,
        request,
        stream,
        operation,
        cache,
        cylinder,
        seek_distance_cylinders,
        measured_ms,
    } = columns;
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(COMMANDS.len());
    let times = [arrival_ms, issue_ms, completion_ms, response_ms, queue_ms, service_ms];
    arrays.extend(times.into_iter().chain(parts_ms).map(doubles));
    arrays.push(Arc::new(UInt64Array::from(lba)));
    arrays.push(Arc::new(UInt32Array::from(sectors)));
    arrays.push(Arc::new(UInt32Array::from(device)));
    arrays.push(unless(UInt64Array::from(request), |request| request == Row::OWN));
    arrays.push(unless(UInt16Array::from(stream), |stream| stream == Row::OWN_STREAM));
    arrays.push(words(operation, &labels.operation)?);
    arrays.push(words(cache, &labels.cache)?);
    arrays.push(Arc::new(UInt32Array::from(cylinder)));
    arrays.push(Arc::new(UInt32Array::from(seek_distance_cylinders)));
    // Only a time that the trace does not record is not a number.
    arrays.push(unless(Float64Array::from(measured_ms), f64::is_nan));
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

/// Requests as a batch of the schema of [`REQUESTS`].
pub(crate) fn requests(
    columns: RequestColumns,
    labels: &Labels,
    schema: &Arc<Schema>,
) -> Result<RecordBatch, ArrowError> {
    let RequestColumns {
        arrival_ms,
        completion_ms,
        response_ms,
        request,
        stream,
        volume,
        lba,
        sectors,
        operation,
        class,
    } = columns;
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(REQUESTS.len());
    arrays.extend([arrival_ms, completion_ms, response_ms].map(doubles));
    arrays.push(Arc::new(UInt64Array::from(request)));
    arrays.push(Arc::new(UInt16Array::from(stream)));
    arrays.push(Arc::new(UInt32Array::from(volume)));
    arrays.push(Arc::new(UInt64Array::from(lba)));
    arrays.push(Arc::new(UInt32Array::from(sectors)));
    arrays.push(words(operation, &labels.operation)?);
    arrays.push(words(class, &labels.class)?);
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

fn doubles(values: Vec<f64>) -> ArrayRef {
    Arc::new(Float64Array::from(values))
}

/// The values, and none where there is none.
fn unless<T: ArrowPrimitiveType>(
    values: PrimitiveArray<T>,
    none: impl Fn(T::Native) -> bool,
) -> ArrayRef {
    if !values.values().iter().any(|value| none(*value)) {
        return Arc::new(values);
    }
    let kept = values.values().iter().map(|value| Some(*value).filter(|value| !none(*value)));
    Arc::new(PrimitiveArray::<T>::from_iter(kept))
}

fn words(codes: Vec<u8>, words: &Words) -> Result<ArrayRef, ArrowError> {
    let keys = UInt8Array::from(codes);
    Ok(Arc::new(DictionaryArray::<UInt8Type>::try_new(keys, Arc::clone(words) as ArrayRef)?))
}
