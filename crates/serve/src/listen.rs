//! Sockets for clients: one in the file system, for its owner alone, or a port of this machine.

use rustix::fs::Mode;
use rustix::process::umask;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crate::refusal;

/// A place that clients connect to, taken away when this is dropped.
#[derive(Debug)]
pub struct Listener {
    kind: Bound,
}

#[derive(Debug)]
enum Bound {
    Unix { listener: UnixListener, path: PathBuf, identity: (u64, u64) },
    Tcp(TcpListener),
}

/// A client's connection.
#[derive(Debug)]
pub(crate) enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Listener {
    /// A socket at `path`, which nobody but its owner can connect to. What a server that died left
    /// there is taken away first.
    ///
    /// # Errors
    /// Another server holds it, something else lies there, or the system does not let it be made.
    pub fn unix(path: &Path) -> io::Result<Self> {
        if let Ok(there) = path.symlink_metadata() {
            if !there.file_type().is_socket() {
                let what = "is not a socket; name another place";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
            }
            match UnixStream::connect(path) {
                Ok(_) => {
                    let what = "another server listens there; name another socket, or stop it";
                    return Err(io::Error::new(io::ErrorKind::AddrInUse, what));
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    std::fs::remove_file(path).map_err(|error| refusal::of_socket(path, error))?;
                }
                Err(error) => return Err(refusal::of_socket(path, error)),
            }
        }
        let before = umask(Mode::RWXG | Mode::RWXO);
        let bound = UnixListener::bind(path);
        umask(before);
        let listener = bound.map_err(|error| refusal::of_socket(path, error))?;
        listener.set_nonblocking(true)?;
        let made = path.symlink_metadata()?;
        let identity = (made.dev(), made.ino());
        Ok(Self { kind: Bound::Unix { listener, path: path.to_owned(), identity } })
    }

    /// A port, which other machines can reach if they reach its address; 0 for one that is free.
    ///
    /// # Errors
    /// It is taken, or the address is not this machine's.
    pub fn tcp(address: SocketAddr) -> io::Result<Self> {
        let bound = TcpListener::bind(address);
        let listener = bound.map_err(|error| refusal::of_port(address, error))?;
        listener.set_nonblocking(true)?;
        Ok(Self { kind: Bound::Tcp(listener) })
    }

    /// How clients name it: an NBD URI.
    #[must_use]
    pub fn uri(&self) -> String {
        match &self.kind {
            Bound::Unix { path, .. } => format!("nbd+unix:///?socket={}", path.display()),
            Bound::Tcp(listener) => match listener.local_addr() {
                Ok(address) => format!("nbd://{address}"),
                Err(_) => "nbd://localhost".to_owned(),
            },
        }
    }

    /// The next client, if one waits.
    pub(crate) fn accept(&self) -> io::Result<Socket> {
        match &self.kind {
            Bound::Unix { listener, .. } => {
                let (stream, _) = listener.accept()?;
                stream.set_nonblocking(true)?;
                Ok(Socket::Unix(stream))
            }
            Bound::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_nonblocking(true)?;
                stream.set_nodelay(true)?;
                Ok(Socket::Tcp(stream))
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let Bound::Unix { path, identity, .. } = &self.kind else { return };
        // Another may lie there by now, and it is not ours.
        if path.symlink_metadata().is_ok_and(|there| (there.dev(), there.ino()) == *identity) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.kind {
            Bound::Unix { listener, .. } => listener.as_fd(),
            Bound::Tcp(listener) => listener.as_fd(),
        }
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(stream) => stream.as_fd(),
            Self::Tcp(stream) => stream.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(bytes),
            Self::Tcp(stream) => stream.read(bytes),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write(bytes),
            Self::Tcp(stream) => stream.write(bytes),
        }
    }

    fn write_vectored(&mut self, slices: &[io::IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write_vectored(slices),
            Self::Tcp(stream) => stream.write_vectored(slices),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
