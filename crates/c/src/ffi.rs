//! The functions that C calls: the only code of this crate that is unsafe.
#![allow(unsafe_code, reason = "pointers of C are what this file is for")]
// The names are C's.
#![allow(clippy::missing_safety_doc, reason = "each says which pointers it takes, for C")]

use crate::handle::{Handle, guarded, told, why};
use platterlab_sim::source::Ended;
use platterlab_sim::system::Asked;
use platterlab_units::{Operation, Stamp};
use std::ffi::{CStr, c_char, c_int};

/// No instant: nothing is to come, or the call failed.
pub const NEVER: u64 = u64::MAX;

/// What is asked of a volume.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Request {
    /// First sector of the volume.
    pub lba: u64,
    /// Length in sectors, at least 1.
    pub sectors: u32,
    /// The volume, from 0; a drive by itself is volume 0.
    pub volume: u32,
    /// 0 to read, anything else to write.
    pub write: u32,
}

/// A request that is over.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Done {
    /// Its number, as platterlab_submit gave it.
    pub number: u64,
    /// When it arrived, in picoseconds.
    pub arrival_ps: u64,
    /// When it was over, in picoseconds.
    pub completion_ps: u64,
    /// Not 0 if its data could not be had or kept, for too many drives have failed.
    pub lost: u32,
}

/// A drive behind a driver that gives it one command at a time. `profile` is a drive of the library or
/// a file (.toml), `scheduler` the order in which the driver chooses (fcfs, sstf, sptf, ...), `seed` of
/// every random choice. To be freed with platterlab_free. NULL if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_drive(
    profile: *const c_char,
    scheduler: *const c_char,
    seed: u64,
) -> *mut Handle {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: the caller gives texts that end with a zero, or NULL.
        let words = unsafe { (text(profile)?, text(scheduler)?) };
        Ok(Box::into_raw(Box::new(Handle::drive(words.0, words.1, seed)?)))
    })
}

/// The storage system of an experiment's file, as it begins a replication (from 0); its requests are
/// yours, and the workloads of the file are left out. To be freed with platterlab_free. NULL if it
/// fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_system(
    experiment: *const c_char,
    replication: u32,
) -> *mut Handle {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: the caller gives a text that ends with a zero, or NULL.
        let path = unsafe { text(experiment)? };
        Ok(Box::into_raw(Box::new(Handle::system(path, replication)?)))
    })
}

/// Ends it. NULL is let be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_free(stepper: *mut Handle) {
    if !stepper.is_null() {
        guarded((), || {
            // SAFETY: it came from `Box::into_raw`, and the caller uses it no more.
            drop(unsafe { Box::from_raw(stepper) });
            Ok(())
        });
    }
}

/// Hands in a request that arrives at `at_ps`, not before now; its number goes to `number` unless that
/// is NULL. Of two at one instant the one handed in first goes first. 0, or -1 if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_submit(
    stepper: *mut Handle,
    at_ps: u64,
    request: *const Request,
    number: *mut u64,
) -> c_int {
    guarded(-1, || {
        // SAFETY: the caller gives pointers to what they say, or NULL.
        let (stepper, asked) = unsafe { (handle(stepper)?, asked(request)?) };
        let given = stepper.with(|one| one.submit(stamp(at_ps), asked).map_err(told))?;
        // SAFETY: as above.
        if let Some(number) = unsafe { number.as_mut() } {
            *number = given;
        }
        Ok(0)
    })
}

/// When something happens next, in picoseconds; PLATTERLAB_NEVER while nothing is to come.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_next_event(stepper: *mut Handle) -> u64 {
    guarded(NEVER, || {
        // SAFETY: the caller gives a stepper or NULL.
        let next = unsafe { handle(stepper)? }.with(|one| Ok(one.next_event()))?;
        Ok(next.and_then(picoseconds).unwrap_or(NEVER))
    })
}

/// Lets happen what is due up to `to_ps`, that included, which is then the time. 0, or -1 if it fails:
/// `to_ps` is past, or too many requests wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_advance(stepper: *mut Handle, to_ps: u64) -> c_int {
    guarded(-1, || {
        // SAFETY: the caller gives a stepper or NULL.
        unsafe { handle(stepper)? }.with(|one| one.advance(stamp(to_ps)).map_err(told))?;
        Ok(0)
    })
}

/// Takes up to `room` requests that are over, in the order in which they were; what there is no room
/// for is given the next time. How many, or -1 if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_completions(
    stepper: *mut Handle,
    done: *mut Done,
    room: usize,
) -> isize {
    guarded(-1, || {
        // SAFETY: the caller gives a stepper or NULL.
        let over = unsafe { handle(stepper)? }.with(|one| {
            let all = one.completions();
            let count = all.len().min(room);
            Ok(all.drain(..if done.is_null() { 0 } else { count }).collect::<Vec<_>>())
        })?;
        for (index, ended) in over.iter().enumerate() {
            // SAFETY: the caller has room for `room`, and there are no more than that.
            unsafe { done.add(index).write(Done::of(ended)) };
        }
        Ok(over.len() as isize)
    })
}

/// When a request would be over if it came now and nothing after it did, in picoseconds; nothing is
/// done to the stepper. PLATTERLAB_NEVER if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_estimate(stepper: *mut Handle, request: *const Request) -> u64 {
    guarded(NEVER, || {
        // SAFETY: the caller gives pointers to what they say, or NULL.
        let (stepper, asked) = unsafe { (handle(stepper)?, asked(request)?) };
        let told = stepper.with(|one| one.estimate(asked).map_err(told))?;
        picoseconds(told).ok_or_else(|| "it would take more than 213 days".to_owned())
    })
}

/// The instant it has come to, in picoseconds; PLATTERLAB_NEVER if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_now(stepper: *mut Handle) -> u64 {
    guarded(NEVER, || {
        // SAFETY: the caller gives a stepper or NULL.
        let now = unsafe { handle(stepper)? }.with(|one| Ok(one.now()))?;
        Ok(picoseconds(now).unwrap_or(NEVER))
    })
}

/// How many volumes there are; 0 if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_volumes(stepper: *mut Handle) -> u32 {
    // SAFETY: the caller gives a stepper or NULL.
    guarded(0, || unsafe { handle(stepper)? }.with(|one| Ok(one.volumes() as u32)))
}

/// The sectors of a volume; 0 if there is none, or if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_sectors(stepper: *mut Handle, volume: u32) -> u64 {
    // SAFETY: the caller gives a stepper or NULL.
    guarded(0, || unsafe { handle(stepper)? }.with(|one| Ok(one.sectors(volume))))
}

/// Bytes in a sector, of every volume; 0 if it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn platterlab_sector_bytes(stepper: *mut Handle) -> u32 {
    // SAFETY: the caller gives a stepper or NULL.
    guarded(0, || unsafe { handle(stepper)? }.with(|one| Ok(one.sector_bytes())))
}

/// Why the last call of this thread that failed did; empty if none has. Good until the next that fails.
#[unsafe(no_mangle)]
pub extern "C" fn platterlab_error() -> *const c_char {
    why()
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn platterlab_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

impl Done {
    fn of(ended: &Ended) -> Self {
        Self {
            number: ended.request.tag,
            // Nothing is handed in or let happen at a later instant than 64 bits hold.
            arrival_ps: picoseconds(ended.arrival).unwrap_or(NEVER),
            completion_ps: picoseconds(ended.completion).unwrap_or(NEVER),
            lost: u32::from(ended.lost),
        }
    }
}

fn stamp(ps: u64) -> Stamp {
    Stamp::from_ps(ps.into())
}

fn picoseconds(stamp: Stamp) -> Option<u64> {
    u64::try_from(stamp.as_ps()).ok()
}

/// # Safety
/// A text that ends with a zero and stays as it is, or NULL.
unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, String> {
    if text.is_null() {
        return Err("a text is NULL".to_owned());
    }
    // SAFETY: the caller's.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| "a text is not UTF-8".to_owned())
}

/// # Safety
/// A stepper that nobody else uses meanwhile, or NULL.
unsafe fn handle<'a>(stepper: *mut Handle) -> Result<&'a mut Handle, String> {
    // SAFETY: the caller's.
    unsafe { stepper.as_mut() }.ok_or_else(|| "the stepper is NULL".to_owned())
}

/// # Safety
/// A request, or NULL.
unsafe fn asked(request: *const Request) -> Result<Asked, String> {
    // SAFETY: the caller's.
    let request = unsafe { request.as_ref() }.ok_or_else(|| "the request is NULL".to_owned())?;
    let &Request { lba, sectors, volume, write } = request;
    let operation = if write == 0 { Operation::Read } else { Operation::Write };
    Ok(Asked { volume, lba, sectors, operation })
}
