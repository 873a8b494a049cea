import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import ZIPArchive

/// A ZIP archive that is made and sent a file at a time.
enum ArchiveResponse {
    /// - Parameters:
    ///   - name: the name under which a browser keeps it.
    ///   - files: the files, each of which is made when its turn comes.
    ///   - time: the time of their last change.
    static func of(_ name: String, _ files: [ArchiveFile], modifiedAt time: WallClockTime) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/zip", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ],
            body: ResponseBody { writer in
                var archive = ZIPWriter()
                for file in files {
                    try await writer.write(
                        ByteBuffer(bytes: try archive.add(file.name, file.content(), modifiedAt: time)))
                }
                try await writer.write(ByteBuffer(bytes: archive.end()))
                try await writer.finish(nil)
            })
    }
}
