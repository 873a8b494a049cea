import CAntenaSystem
import Glibc
import Synchronization

/// A pipe that pages of files pass through on their way to a socket. It is empty whenever it waits to be used.
final class GatherPipe: Sendable {
    private let ends: (read: Int32, write: Int32)

    /// The size that is asked for: 256 pages, which is what Linux lets every user have.
    private static let byteCount: Int32 = 1 << 20

    private init?() {
        var ends: [Int32] = [-1, -1]
        guard antena_large_pipe(&ends, Self.byteCount) == 0 else { return nil }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    private static let free = Mutex([GatherPipe]())
    /// The number of pipes that wait to be used again: one for each event loop of a large machine.
    private static let maximumFreeCount = 32

    /// Sends parts of a mapped file to a socket.
    ///
    /// - Parameter hasMore: Whether the caller sends more right after this.
    /// - Returns: The number of bytes sent, which may be less than the vectors have, or -1 and the value of `errno`.
    static func send(_ vectors: [iovec], to socket: Int32, hasMore: Bool) -> (byteCount: Int, errno: Int32) {
        guard let pipe = free.withLock({ $0.popLast() }) ?? GatherPipe() else { return (-1, errno) }
        var isEmpty: Int32 = 1
        let count = antena_send_mapped(
            socket, [pipe.ends.read, pipe.ends.write], vectors, Int32(vectors.count), hasMore ? 1 : 0, &isEmpty)
        let code = count < 0 ? errno : 0
        if isEmpty == 1 {
            free.withLock { free in
                if free.count < maximumFreeCount { free.append(pipe) }
            }
        }
        return (count, code)
    }
}
