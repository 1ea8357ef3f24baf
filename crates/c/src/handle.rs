//! The object behind a pointer of C, and the way of failures into it.

use platterlab_drive::Drive;
use platterlab_experiment::{Experiment, scheduler_named};
use platterlab_profile::Profile;
use platterlab_sim::system::Stepper;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A drive or a storage system, step by step.
pub struct Handle {
    stepper: Stepper,
    /// Whether a call never came to its end: what it left is not to be relied on.
    broken: bool,
}

thread_local! {
    static WHY: RefCell<CString> = RefCell::default();
}

impl Handle {
    fn of(stepper: Stepper) -> Self {
        Self { stepper, broken: false }
    }

    /// A drive of the library, or of a profile's file, behind a driver with this scheduler.
    pub(crate) fn drive(profile: &str, scheduler: &str, seed: u64) -> Result<Self, String> {
        let is_file = profile.ends_with(".toml") || profile.contains('/');
        let found = if is_file {
            Profile::load(Path::new(profile))
        } else {
            Profile::from_library(profile)
        };
        let drive = Drive::new(found.map_err(told)?.params()).map_err(told)?;
        let stepper = Stepper::of_drive(drive, scheduler_named(scheduler)?, seed);
        stepper.map(Self::of).map_err(told)
    }

    /// The system of an experiment's file; its workloads are left out.
    pub(crate) fn system(experiment: &str, replication: u32) -> Result<Self, String> {
        let none: [(&str, toml::Value); 0] = [];
        let read = Experiment::load(Path::new(experiment), &none).map_err(told)?;
        read.plan.stepper(replication).map(Self::of).map_err(told)
    }

    /// What is asked of it.
    pub(crate) fn with<T>(
        &mut self,
        work: impl FnOnce(&mut Stepper) -> Result<T, String>,
    ) -> Result<T, String> {
        if self.broken {
            return Err("an earlier call failed inside: free this one and make another".to_owned());
        }
        self.broken = true;
        let done = work(&mut self.stepper);
        self.broken = false;
        done
    }
}

/// An error's text.
pub(crate) fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Does what C asked for. Where it fails C gets `failed`, and the reason is kept for it; a panic is a
/// failure like another and goes no further.
pub(crate) fn guarded<T>(failed: T, work: impl FnOnce() -> Result<T, String>) -> T {
    let why = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => return value,
        Ok(Err(why)) => why,
        Err(panic) => format!("a defect of the program: {}", text_of(&*panic)),
    };
    let why = CString::new(why.replace('\0', "?")).unwrap_or_default();
    WHY.with(|last| last.replace(why));
    failed
}

/// Why the last call of this thread that failed did, for as long as no other fails.
pub(crate) fn why() -> *const std::ffi::c_char {
    WHY.with(|last| last.borrow().as_ptr())
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason() -> String {
        WHY.with(|last| last.borrow().to_string_lossy().into_owned())
    }

    #[test]
    fn a_panic_is_a_failure_with_its_reason_and_goes_no_further() {
        let mut handle = Handle::drive("mock", "fcfs", 0).expect("the library has it");
        let told = guarded(-1, || handle.with(|_| -> Result<i32, String> { panic!("odd: {}", 7) }));
        assert_eq!((told, reason().as_str()), (-1, "a defect of the program: odd: 7"));
        let told = guarded(-1, || handle.with(|_| Ok(0)));
        assert_eq!(told, -1);
        assert!(reason().contains("an earlier call failed inside"));
    }

    #[test]
    fn what_is_wrong_is_told_as_elsewhere() {
        let said = |made: Result<Handle, String>| made.err().expect("it is wrong");
        assert!(said(Handle::drive("hp-9756", "fcfs", 0)).contains("hp-97560"));
        assert!(said(Handle::drive("mock", "sptff", 0)).contains("sptf"));
        assert!(said(Handle::system("no-such.toml", 0)).contains("no-such.toml"));
    }
}
