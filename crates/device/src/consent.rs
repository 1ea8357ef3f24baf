/// Proof that the user agreed to lose the data of one device. No write compiles without it.
#[derive(Debug)]
pub struct WriteConsent {
    _private: (),
}
