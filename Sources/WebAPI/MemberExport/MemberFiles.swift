import Community
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import NIOPosix
import Packaging
import Workflows
import ZIPArchive

/// The files of the videos that a member has sent, for the archive with the member's data. They are read in pieces when
/// their turn comes, as they are stored.
struct MemberFiles: Sendable {
    /// A file, and what became of it.
    struct Entry: Sendable, Hashable {
        /// The name in the archive.
        var name: String
        /// The name that the member's device had for it.
        var fileName: String
        var outcome: Outcome
    }

    /// The outcome of a file.
    enum Outcome: Sendable, Hashable {
        case whole
        /// It could not be read to its end.
        case incomplete
        /// It is not on the server any more.
        case missing
    }

    /// The uploads whose files are wanted.
    let uploads: [MemberUpload]
    let library: any LibraryFileAccess
    /// Reads the files.
    let threadPool: NIOThreadPool
    /// Free for another archive when this one is sent.
    let place: DownloadPlaces.Place

    /// The largest number of files in an archive.
    static let maximumCount = 10_000
    private static let folder = "files"

    /// Writes the files into an archive.
    ///
    /// - Returns: all of them, also those that are gone.
    func write(
        to archive: inout ZIPWriter, _ writer: inout any ResponseBodyWriter, modifiedAt time: WallClockTime
    ) async throws -> [Entry] {
        var entries: [Entry] = []
        for upload in uploads {
            guard let title = upload.title else { continue }
            var entry = Entry(name: "\(Self.folder)/\(upload.file)", fileName: upload.fileName, outcome: .missing)
            if let file = try? await library.sourceFile(ofTitle: title.id) {
                entry.outcome = try await write(file, named: entry.name, to: &archive, &writer, modifiedAt: time)
            }
            entries.append(entry)
        }
        return entries
    }

    private func write(
        _ file: MediaFile, named name: String, to archive: inout ZIPWriter, _ writer: inout any ResponseBodyWriter,
        modifiedAt time: WallClockTime
    ) async throws -> Outcome {
        let whole = FileRange(offset: 0, byteCount: Int(clamping: file.byteCount))
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        let reader = PieceReader(
            FileTransfer(
                StoredMedia(file: file, runs: [.file(whole)]), request: request, fields: [:], etag: "\"file\""),
            buffer: ByteBuffer())
        try await writer.write(
            ByteBuffer(bytes: try archive.begin(name, byteCount: file.byteCount, modifiedAt: time)))
        var (checksum, byteCount, outcome) = (CRC32(), Int64(0), Outcome.whole)
        while !reader.isAtEnd {
            let before = checksum
            do {
                try await reader.fetchNext()
                checksum = try await threadPool.runIfActive {
                    _ = try reader.readNext(cachedOnly: false)
                    var checksum = before
                    reader.piece.withUnsafeReadableBytes { checksum.add($0) }
                    return checksum
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                // The archive stays one, and says so.
                outcome = .incomplete
                break
            }
            byteCount += Int64(reader.piece.readableBytes)
            try await writer.write(reader.piece)
        }
        try await writer.write(ByteBuffer(bytes: archive.endFile(checksum, byteCount: byteCount)))
        return outcome
    }
}
