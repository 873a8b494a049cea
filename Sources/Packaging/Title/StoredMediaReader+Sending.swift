import CAntenaSystem
import Glibc
package import NIOCore

extension ByteBuffer {
    /// Sends bytes to a non-blocking socket with nothing queued for it elsewhere.
    ///
    /// - Parameter hasMore: Whether more is sent right after this, so that the kernel may wait for it.
    /// - Returns: The number of bytes sent, at least one unless the buffer is empty.
    package func send(to socket: Int32, hasMore: Bool) -> Result<Int, SocketError> {
        withUnsafeReadableBytes { bytes in
            while !bytes.isEmpty {
                let count = antena_send(socket, bytes.baseAddress, bytes.count, hasMore ? 1 : 0)
                if count > 0 { return .success(count) }
                let code = count < 0 ? errno : EIO
                guard code == EINTR else { return .failure(SocketError(errno: code)) }
            }
            return .success(0)
        }
    }
}

extension StoredMediaReader {
    /// The shortest run, and the least in several runs, to send: less costs more in system calls than copying it does.
    private static let minimumRunByteCount = 32 << 10
    /// The largest number of bytes per call, which are checked for residency immediately before.
    private static let maximumSendByteCount = 512 << 10
    /// The largest number of runs per call. A run of 8 KB takes up to three of a pipe's 256 pages.
    private static let maximumRunCount = 84
    /// The largest distance between two runs that are sent by one call, in bytes.
    private static let maximumGapByteCount: Int64 = 64 << 10

    /// Sends the next run, or several short ones of the file, and advances. Runs of the file are not copied.
    ///
    /// The event loop that calls this never waits for the disk: the bytes were just found in the page cache.
    ///
    /// - Parameter socket: A non-blocking socket with nothing queued for it elsewhere.
    package mutating func sendRun(to socket: Int32) -> MediaSending {
        guard let run = next(Self.maximumSendByteCount) else { return .mustBeRead }
        guard case .file(let range) = run else { return sendBytes(run, to: socket) }
        guard range.byteCount >= Self.minimumRunByteCount else { return sendShortRuns(to: socket) }
        guard media.file.isResident(range) else { return .mustBeRead }
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

    private mutating func sendBytes(_ run: StoredMedia.Run, to socket: Int32) -> MediaSending {
        guard case .bytes(let bytes) = run else { return .mustBeRead }
        switch bytes.send(to: socket, hasMore: remainingByteCount > bytes.readableBytes) {
        case .success(let count):
            advance(by: count)
            return .progressed
        case .failure(let error) where error.errno == EAGAIN: return .socketIsFull
        case .failure(let error): return .failed(errno: error.errno)
        }
    }

    /// Sends short runs by one call: an MP4 whose tracks are interleaved frame by frame has no long ones.
    private mutating func sendShortRuns(to socket: Int32) -> MediaSending {
        let ranges = neighbours()
        guard let first = ranges.first, let last = ranges.last else { return .mustBeRead }
        let byteCount = ranges.reduce(0) { $0 + $1.byteCount }
        let span = FileRange(offset: first.offset, byteCount: Int(last.endOffset - first.offset))
        guard byteCount >= Self.minimumRunByteCount, let mapping = media.file.residentMapping(covering: span) else {
            return .mustBeRead
        }
        let vectors = ranges.map { mapping.vector($0) }
        let sent = withExtendedLifetime(mapping) {
            GatherPipe.send(vectors, to: socket, hasMore: remainingByteCount > byteCount)
        }
        if sent.byteCount > 0 {
            advance(by: sent.byteCount)
            return .progressed
        }
        switch sent.errno {
        case EAGAIN: return .socketIsFull
        case EPIPE, ECONNRESET: return .failed(errno: sent.errno)
        // No pipe, or the file has become shorter: reading it works, or says what is wrong.
        default: return .mustBeRead
        }
    }

    /// Returns the next runs of the file, in rising order and close to one another, up to a number of runs and bytes.
    private func neighbours() -> [FileRange] {
        var rest = self
        var ranges: [FileRange] = []
        var missing = Self.maximumSendByteCount
        while ranges.count < Self.maximumRunCount, case .file(let range)? = rest.next(missing) {
            if let last = ranges.last {
                let gap = range.offset - last.endOffset
                guard gap >= 0, gap <= Self.maximumGapByteCount else { break }
            }
            ranges.append(range)
            missing -= range.byteCount
            rest.advance(by: range.byteCount)
        }
        return ranges
    }
}
