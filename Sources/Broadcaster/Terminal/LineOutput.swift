import Glibc

/// Standard output, as something that must not hold up a broadcast: whoever reads it may be slow, or go away.
package struct LineOutput: Sendable {
    package enum Outcome: Hashable, Sendable {
        case written
        /// Whoever reads has not kept up, or the disk is full. The next one may get through.
        case skipped
        /// Nobody reads any more: a pipe's other end or a terminal has gone.
        case closed
    }

    /// Milliseconds; a reader that takes longer misses a line.
    private static let maximumWait: Int32 = 1_000

    private let descriptor: Int32

    package init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Takes at most about a second. A pipe that can be written to takes 4,096 bytes at once (pipe(7)); what is longer
    /// may wait for its reader.
    @discardableResult package func write(_ text: String) -> Outcome {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                let ready = poll(&wanted, 1, Self.maximumWait)
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { return .skipped }
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                    continue
                }
                switch errno {
                case EINTR, EAGAIN: continue
                // EIO is a terminal that has been hung up.
                case EPIPE, EIO, EBADF, ENXIO: return .closed
                default: return .skipped
                }
            }
            return .written
        }
    }
}
