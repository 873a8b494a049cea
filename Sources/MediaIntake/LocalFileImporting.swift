import Foundation
import LibraryCore
import MediaCore
import MediaFolders
import NIOCore
package import NIOPosix

/// Imports a large file of this machine into the media folder the way a file from a URL is imported: with progress,
/// cancellable, and resumed after a crash.
package struct LocalFileImporting: RemoteImporting {
    private let threadPool: NIOThreadPool

    private static let pieceByteCount = 1 << 20

    /// - Parameter threadPool: the threads that read the file.
    package init(threadPool: NIOThreadPool) { self.threadPool = threadPool }

    /// The address of a file of this machine.
    package static func url(ofPath path: String) -> String { URL(filePath: path).absoluteString }

    package func fetch(
        _ url: String, from offset: Int64, validator: String?,
        receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws {
        guard let path = URL(string: url)?.path(percentEncoded: false) else {
            throw LibraryError(.noSuchFile, "it is not a file URL")
        }
        let (source, revision) = try await threadPool.runIfActive {
            (try Source(path: path), FoundFile.revision(ofFileAt: path) ?? "")
        }
        let begin = validator == revision && offset <= source.byteCount ? offset : 0
        try await receive(
            RemoteResponse(
                offset: begin, byteCount: source.byteCount, validator: revision,
                name: path.lastPathComponent,
                bytes: Pieces(source: source, offset: begin, threadPool: threadPool)))
    }

    /// An open file.
    private final class Source: Sendable {
        let byteCount: Int64
        private let descriptor: Int32

        init(path: String) throws {
            // O_NONBLOCK, because opening a FIFO for reading would wait for a writer.
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else {
                throw LibraryError(.noSuchFile, String(cString: strerror(errno)), systemError: errno)
            }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                throw LibraryError(.notMedia, "it is not a regular file")
            }
            byteCount = Int64(status.st_size)
        }

        deinit { close(descriptor) }

        func read(at offset: Int64) throws -> ByteBuffer {
            var buffer = ByteBufferAllocator().buffer(capacity: LocalFileImporting.pieceByteCount)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: LocalFileImporting.pieceByteCount) { bytes in
                while true {
                    let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
                    if count >= 0 { return count }
                    guard errno == EINTR else {
                        throw LibraryError(.storage, "the file cannot be read: \(String(cString: strerror(errno)))")
                    }
                }
            }
            return buffer
        }
    }

    private struct Pieces: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        typealias Failure = any Error

        let source: Source
        let offset: Int64
        let threadPool: NIOThreadPool

        struct Iterator: AsyncIteratorProtocol {
            let source: Source
            var offset: Int64
            let threadPool: NIOThreadPool

            mutating func next() async throws -> ByteBuffer? {
                try Task.checkCancellation()
                let piece = try await threadPool.runIfActive { [source, offset] in try source.read(at: offset) }
                offset += Int64(piece.readableBytes)
                return piece.readableBytes > 0 ? piece : nil
            }
        }

        func makeAsyncIterator() -> Iterator {
            Iterator(source: source, offset: offset, threadPool: threadPool)
        }
    }
}
