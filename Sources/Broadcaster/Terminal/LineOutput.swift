import Glibc
import MediaCore

/// Standard output that never holds up a broadcast: its reader may be slow, or go away.
package struct LineOutput: Sendable {
    /// The result of writing a line.
    package enum Outcome: Hashable, Sendable {
        /// The line was written.
        case written
        /// The line was dropped, because the reader has not kept up or the disk is full. The next one may succeed.
        case skipped
        /// The reader is gone: a pipe's other end, or a terminal.
        case closed
    }

    /// The longest wait in milliseconds; a slower reader misses a line.
    private static let maximumWait = Duration.seconds(1)

    private let descriptor: Int32

    /// Creates an output to a file descriptor.
    package init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Writes a text within about a second. A writable pipe accepts 4,096 bytes at once (pipe(7)); a longer text may
    /// wait for its reader.
    @discardableResult package func write(_ text: String) -> Outcome {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                let ready = poll(&wanted, 1, Int32(Self.maximumWait.wholeMilliseconds))
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { return .skipped }
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                    continue
                }
                switch errno {
                case EINTR, EAGAIN: continue
                // EIO means that the terminal was hung up.
                case EPIPE, EIO, EBADF, ENXIO: return .closed
                default: return .skipped
                }
            }
            return .written
        }
    }
}
