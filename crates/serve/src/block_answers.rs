//! Requests of the kernel to the drive's block device and their answers, between two threads.

use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::mem::replace;
use std::os::fd::OwnedFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A place for each request that the kernel may have asked.
#[derive(Debug)]
pub(crate) struct Answers {
    inner: Mutex<Inner>,
    ended: Condvar,
    /// Readable when there are answers.
    bell: OwnedFd,
}

#[derive(Debug)]
struct Inner {
    /// `None` when nobody is let in any more.
    places: Option<Vec<Place>>,
    /// How late, by the host's fault, the last answer went out.
    last_late_ns: u64,
}

#[derive(Debug)]
enum Place {
    Free,
    Waits(Option<Waker>),
    Done(Vec<u8>),
}

impl Answers {
    /// With a number of places.
    ///
    /// # Errors
    /// The system has no descriptor to give.
    pub(crate) fn new(places: usize) -> io::Result<Self> {
        let places = Some((0..places).map(|_| Place::Free).collect());
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let inner = Mutex::new(Inner { places, last_late_ns: 0 });
        Ok(Self { inner, ended: Condvar::new(), bell })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to wait at for answers.
    pub(crate) fn bell(&self) -> &OwnedFd {
        &self.bell
    }

    /// An answer is to come; how late the one before was, or `None` when nobody is let in any more.
    pub(crate) fn expect(&self, place: usize) -> Option<u64> {
        let mut inner = self.inner();
        *inner.places.as_mut()?.get_mut(place)? = Place::Waits(None);
        Some(inner.last_late_ns)
    }

    /// This is the answer.
    pub(crate) fn answer(&self, place: usize, answer: Vec<u8>, late_ns: u64) {
        let mut inner = self.inner();
        inner.last_late_ns = late_ns;
        let place = inner.places.as_mut().and_then(|places| places.get_mut(place));
        if let Some(place @ Place::Waits(_)) = place
            && let Place::Waits(waker) = replace(place, Place::Done(answer))
        {
            drop(inner);
            waker.into_iter().for_each(Waker::wake);
            self.ring();
        }
    }

    /// The answer, if it is there; an empty one when nobody is answered any more.
    pub(crate) fn poll(&self, place: usize, context: &Context<'_>) -> Poll<Vec<u8>> {
        let mut inner = self.inner();
        let place = inner.places.as_mut().and_then(|places| places.get_mut(place));
        let Some(place) = place else { return Poll::Ready(Vec::new()) };
        match replace(place, Place::Free) {
            Place::Done(answer) => Poll::Ready(answer),
            Place::Free | Place::Waits(_) => {
                *place = Place::Waits(Some(context.waker().clone()));
                Poll::Pending
            }
        }
    }

    /// Whether nobody waits.
    pub(crate) fn is_idle(&self) -> bool {
        let is_free = |place: &Place| matches!(place, Place::Free);
        self.inner().places.as_ref().is_none_or(|places| places.iter().all(is_free))
    }

    /// Whoever waits gets an empty answer, and so does whoever comes.
    pub(crate) fn close(&self) {
        for place in self.inner().places.take().into_iter().flatten() {
            if let Place::Waits(Some(waker)) = place {
                waker.wake();
            }
        }
        self.ended.notify_all();
        self.ring();
    }

    /// Until it is closed.
    pub(crate) fn wait_for_end(&self) {
        let inner = self.inner();
        let open = |inner: &mut Inner| inner.places.is_some();
        drop(self.ended.wait_while(inner, open).unwrap_or_else(PoisonError::into_inner));
    }

    fn ring(&self) {
        // It can only be full, and then it is heard.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn an_answer_finds_who_waits_whoever_was_first() {
        let answers = Answers::new(2).expect("a descriptor");
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(answers.expect(1), Some(0));
        assert!(answers.poll(1, &mut context).is_pending());
        assert!(!answers.is_idle());
        answers.answer(1, vec![7], 5);
        assert_eq!(answers.poll(1, &mut context), Poll::Ready(vec![7]));
        assert_eq!(answers.expect(0), Some(5));
        answers.answer(0, vec![8], 0);
        assert_eq!(answers.poll(0, &mut context), Poll::Ready(vec![8]));
        assert!(answers.is_idle());
        // Nobody asked there.
        answers.answer(1, vec![9], 0);
        assert!(answers.is_idle());
    }

    #[test]
    fn once_closed_nobody_waits() {
        let answers = Arc::new(Answers::new(1).expect("a descriptor"));
        answers.expect(0).expect("a place");
        let other = Arc::clone(&answers);
        let thread = std::thread::spawn(move || other.wait_for_end());
        answers.close();
        thread.join().expect("it ends");
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(answers.poll(0, &mut context), Poll::Ready(Vec::new()));
        assert_eq!(answers.expect(0), None);
    }
}
