import CAntenaSystem
import Glibc

/// The result of sending media from the page cache to a socket.
package enum MediaSending: Sendable {
    /// Some bytes were sent, and there may be more.
    case progressed
    /// The socket accepts nothing more now.
    case socketIsFull
    /// The next bytes are not in the page cache, not in the file, or in runs so short that copying them is cheaper.
    case mustBeRead
    /// sendfile(2) failed.
    case failed(errno: Int32)
}

extension StoredMediaReader {
    /// The shortest run to send: shorter ones cost more in system calls than copying them does.
    private static let minimumRunByteCount = 32 << 10
    /// The largest number of bytes per call, which are checked for residency immediately before.
    private static let maximumSendByteCount = 512 << 10

    /// Sends the next run of the file without copying it (sendfile(2)), and advances.
    ///
    /// The event loop that calls this never waits for the disk: the bytes were just found in the page cache.
    ///
    /// - Parameter socket: A non-blocking socket with nothing queued for it elsewhere.
    package mutating func sendRun(to socket: Int32) -> MediaSending {
        guard case .file(let range)? = next(Self.maximumSendByteCount), range.byteCount >= Self.minimumRunByteCount,
            media.file.isResident(range)
        else { return .mustBeRead }
        while true {
            let count = antena_sendfile(socket, media.file.descriptor, off_t(range.offset), range.byteCount)
            if count > 0 {
                advance(by: count)
                return .progressed
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN: return .socketIsFull
            case let code: return .failed(errno: code)
            }
        }
    }
}
