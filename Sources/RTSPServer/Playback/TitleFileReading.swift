import NIOCore
import NIOPosix
import Packaging

/// Reads a title's bytes: immediately if they are in memory, otherwise on a thread that may wait for the disk.
struct TitleFileReading: Sendable {
    /// Reads bytes from memory; returns `nil` if that would require waiting for the disk.
    var readCached: @Sendable (MediaFile, [FileRange]) throws(MediaFileError) -> ByteBuffer?
    var read: @Sendable (MediaFile, [FileRange], any EventLoop) -> EventLoopFuture<ByteBuffer>

    init(
        readCached: @escaping @Sendable (MediaFile, [FileRange]) throws(MediaFileError) -> ByteBuffer?,
        read: @escaping @Sendable (MediaFile, [FileRange], any EventLoop) -> EventLoopFuture<ByteBuffer>
    ) {
        self.readCached = readCached
        self.read = read
    }

    init(threadPool: NIOThreadPool) {
        self.init { (file, ranges) throws(MediaFileError) in
            try Self.bytes(of: file, ranges, cachedOnly: true)
        } read: { file, ranges, eventLoop in
            let fetched = eventLoop.makePromise(of: Void.self)
            if !file.fetch(ranges, { fetched.completeWith($0) }) { fetched.succeed() }
            return fetched.futureResult.flatMap {
                threadPool.runIfActive(eventLoop: eventLoop) {
                    try Self.bytes(of: file, ranges, cachedOnly: false) ?? ByteBuffer()
                }
            }
        }
    }

    static func bytes(
        of file: MediaFile, _ ranges: [FileRange], cachedOnly: Bool
    ) throws(MediaFileError) -> ByteBuffer? {
        var buffer = ByteBuffer()
        return try file.appendRanges(ranges, to: &buffer, cachedOnly: cachedOnly) ? buffer : nil
    }
}
