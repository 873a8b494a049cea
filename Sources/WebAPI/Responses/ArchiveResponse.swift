import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import ZIPArchive

/// A ZIP archive that is made and sent a file at a time.
enum ArchiveResponse {
    /// Writes large files, and returns those that follow them.
    typealias Rest = @Sendable (inout ZIPWriter, inout any ResponseBodyWriter) async throws -> [ArchiveFile]

    /// - Parameters:
    ///   - name: the name under which a browser keeps it.
    ///   - files: the files, each of which is made when its turn comes.
    ///   - time: the time of their last change.
    ///   - rest: writes what follows them; `nil` for nothing.
    static func of(
        _ name: String, _ files: [ArchiveFile], modifiedAt time: WallClockTime, rest: Rest? = nil
    ) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/zip", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ],
            body: ResponseBody { writer in
                var archive = ZIPWriter()
                func add(_ files: [ArchiveFile]) async throws {
                    for file in files {
                        try await writer.write(
                            ByteBuffer(bytes: try archive.add(file.name, file.content(), modifiedAt: time)))
                    }
                }
                try await add(files)
                if let rest { try await add(try await rest(&archive, &writer)) }
                try await writer.write(ByteBuffer(bytes: archive.end()))
                try await writer.finish(nil)
            })
    }
}
