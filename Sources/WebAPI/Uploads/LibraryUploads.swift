import Accounts
import Catalogue
import HTTPEndpoints
import LibraryCore
import MediaIntake
import Workflows

/// `/api/v1/uploads`: uploads that become titles and tracks of the station.
struct LibraryUploads: UploadTarget {
    let library: any LibraryOperations

    var operations: TusOperations { .library }
    var rule: AccessRule { .needs(.upload, .library) }

    func create(
        name: String, type: String?, byteCount: Int64, _ caller: GatewayRequestContext
    ) async throws -> (id: String, upload: Upload) {
        let upload = try await library.createUpload(name: name, byteCount: byteCount, from: .operators)
        return (upload.id, upload)
    }

    func upload(
        _ id: String, _ caller: GatewayRequestContext
    ) async throws -> (name: String, upload: Upload, offset: Int64) {
        guard let (upload, offset) = try await library.upload(id: id) else {
            throw ProblemDetails.missing("upload", id, "unfinished uploads expire after a day")
        }
        return (upload.name, upload, offset)
    }

    func delete(_ id: String, _ caller: GatewayRequestContext) async throws { try await library.deleteUpload(id: id) }

    func location(of item: IngestedItem, id: String) -> String { Self.location(of: item) }

    static func location(of item: IngestedItem) -> String {
        switch item {
        case .title(let title): "/api/v1/titles/\(title.id)"
        case .track(let track): "/api/v1/tracks/\(track.id)"
        }
    }

    func location(of upload: Upload, id: String) -> String {
        let collection = upload.section == LibrarySection.tracks.rawValue ? "tracks" : "titles"
        return "/api/v1/\(collection)/\(upload.subject ?? "")"
    }
}
