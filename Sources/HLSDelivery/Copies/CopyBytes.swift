import Crypto
import MediaCore
import NIOCore
package import NIOPosix
import OfflineCopyFormat
package import Packaging

/// The bytes of an offline copy before their encryption, made from the title's file when they are asked for.
package struct CopyBytes: Sendable {
    private let copy: TitleCopy
    private let index: [UInt8]
    /// The position of each file in the copy, rising.
    private let offsets: [Int64]
    private let threadPool: NIOThreadPool
    package let byteCount: Int64
    /// Changes whenever the bytes do.
    package let revision: String

    /// - Parameters:
    ///   - copy: the files.
    ///   - revision: the revision of the title.
    ///   - threadPool: reads the title's file.
    package init(_ copy: TitleCopy, revision: String, threadPool: NIOThreadPool) {
        (self.copy, self.threadPool) = (copy, threadPool)
        index = CopyIndex(
            files: copy.files.map { CopyIndex.File(path: $0.path, byteCount: Int64($0.byteCount)) }
        ).rendered()
        var offset = Int64(index.count)
        var offsets: [Int64] = []
        offsets.reserveCapacity(copy.files.count)
        for file in copy.files {
            offsets.append(offset)
            offset += Int64(file.byteCount)
        }
        (self.offsets, byteCount) = (offsets, offset)
        var hash = SHA256()
        hash.update(data: Array("\(revision)\n".utf8))
        hash.update(data: index)
        for bytes in copy.generatedBytes { hash.update(data: Array(bytes.readableBytesView)) }
        self.revision = hash.finalize().prefix(16).hexadecimalDigits
    }

    /// Reads a range.
    ///
    /// - Parameter range: lies within the copy; a megabyte at most, because all of it is held in memory.
    /// - Throws: `MediaFileError`, or the reason why the media store does not answer.
    package func read(_ range: Range<Int64>) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            if position < Int64(index.count) {
                let end = min(Int64(index.count), range.upperBound)
                bytes += index[Int(position)..<Int(end)]
                position = end
                continue
            }
            let file = fileIndex(at: position)
            let start = Int(position - offsets[file])
            let end = min(copy.files[file].byteCount, start + Int(range.upperBound - position))
            guard start < end, let media = copy.media(ofFile: file), media.byteCount >= end else {
                throw UnexpectedLength()
            }
            bytes += try await Self.read(media, start..<end, threadPool)
            position += Int64(end - start)
        }
        return bytes
    }

    /// A segment does not have the length that its plan says.
    struct UnexpectedLength: Error {}

    /// The last file that begins at or before a position and is not empty there.
    private func fileIndex(at position: Int64) -> Int {
        var (low, high) = (0, offsets.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if offsets[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    private static func read(
        _ media: StoredMedia, _ range: Range<Int>, _ threadPool: NIOThreadPool
    ) async throws -> [UInt8] {
        let reader = StoredMediaReader(media, range: range)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            if !reader.fetchPiece(range.count, { continuation.resume(with: $0) }) { continuation.resume() }
        }
        return try await threadPool.runIfActive {
            var reader = reader
            var buffer = ByteBuffer()
            buffer.reserveCapacity(range.count)
            _ = try reader.readPiece(range.count, into: &buffer, cachedOnly: false)
            guard buffer.readableBytes == range.count else { throw UnexpectedLength() }
            return Array(buffer.readableBytesView)
        }
    }
}
