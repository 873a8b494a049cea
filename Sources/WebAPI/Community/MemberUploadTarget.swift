import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import MediaIntake
import Workflows

/// `/api/v1/me/uploads`: uploads that become videos of members.
struct MemberUploadTarget: UploadTarget {
    let uploads: MemberUploads

    static let rule = AccessRule.member(
        .upload, reason: "the handler asks whether the sender may send videos, and whose it is")
    var operations: TusOperations { .members }
    var rule: AccessRule { Self.rule }

    /// The upload of the caller that a path names.
    ///
    /// - Throws: `ProblemDetails`, `Refusal`
    func owned(_ caller: GatewayRequestContext) async throws -> MemberUpload {
        try await owned(try caller.parameters.require("id"), caller)
    }

    private func owned(_ id: String, _ caller: GatewayRequestContext) async throws -> MemberUpload {
        try MemberUploads.requireSending(caller)
        guard let id = OpaqueID(parsing: id) else { throw ProblemDetails(.notFound, "there is no such upload") }
        return try await uploads.community.upload(id, by: caller.caller)
    }

    func create(
        name: String, type: String?, byteCount: Int64, _ caller: GatewayRequestContext
    ) async throws -> (id: String, upload: Upload) {
        try MemberUploads.requireSending(caller)
        let begun = try await uploads.begin(name: name, type: type, byteCount: byteCount, by: caller.caller)
        return (begun.upload.id.text, begun.received)
    }

    func upload(
        _ id: String, _ caller: GatewayRequestContext
    ) async throws -> (name: String, upload: Upload, offset: Int64) {
        let upload = try await owned(id, caller)
        let (receiver, offset) = try await uploads.received(upload)
        return (upload.fileName, receiver, offset)
    }

    func delete(_ id: String, _ caller: GatewayRequestContext) async throws {
        let upload = try await owned(id, caller)
        try await uploads.delete(upload.id, by: caller.caller)
    }

    func location(of item: IngestedItem, id: String) -> String { "\(operations.path)/\(id)" }

    func location(of upload: Upload, id: String) -> String { "\(operations.path)/\(id)" }
}
