import Crypto
import Foundation
import NIOCore
import Packaging

/// Writes the bytes of one connection to the disk.
///
/// `@unchecked Sendable`: one connection's task uses it, one call at a time.
package final class UploadWriter: @unchecked Sendable {
    let upload: Upload
    let beginning: Int64
    private(set) var offset: Int64
    private var descriptor: Int32
    private let checksum: UploadChecksum?
    private var hasher: (any HashFunction)?

    init(upload: Upload, file: ReceivedFile, offset: Int64, checksum: UploadChecksum?) throws {
        self.upload = upload
        self.offset = offset
        beginning = offset
        self.checksum = checksum
        hasher = checksum?.hasher()
        descriptor = open(file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw ReceivedFile.failure("the file cannot be written") }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Writes bytes. Blocks.
    ///
    /// - Throws: ``UploadError``
    func write(_ buffer: ByteBuffer) throws {
        guard offset + Int64(buffer.readableBytes) <= upload.byteCount else {
            throw UploadError(.tooLarge, "more bytes arrived than were announced (\(upload.byteCount))")
        }
        buffer.withUnsafeReadableBytes { hasher?.update(bufferPointer: $0) }
        let failure = DiskFile.write(buffer, to: descriptor, at: offset)
        guard failure == 0 else {
            throw UploadError(
                .storage, "the upload cannot be written to the disk: \(String(cString: strerror(failure)))")
        }
        offset += Int64(buffer.readableBytes)
    }

    /// Closes the file and verifies the checksum.
    ///
    /// - Returns: whether the received bytes may be kept.
    func close(isComplete: Bool) -> Bool {
        Glibc.close(descriptor)
        descriptor = -1
        guard let checksum, let hasher else { return true }
        return isComplete && Self.digest(of: hasher) == checksum.digest
    }

    private static func digest(of hasher: some HashFunction) -> [UInt8] { Array(hasher.finalize()) }
}
