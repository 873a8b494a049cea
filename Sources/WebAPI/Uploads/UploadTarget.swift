import APIDeclarations
import HTTPEndpoints
import MediaIntake

/// The target of resumable uploads: it decides who may send, and what a file becomes.
protocol UploadTarget: Sendable {
    /// The operations of the uploads.
    var operations: TusOperations { get }
    /// The rule for senders.
    var rule: AccessRule { get }

    /// Begins an upload.
    ///
    /// - Parameters:
    ///   - name: the name that the sender has for the file.
    ///   - type: its media type; `nil` if the sender did not say.
    ///   - byteCount: the size of the file.
    /// - Returns: the name of the upload in its path, and the upload.
    /// - Throws: `ProblemDetails`, `UploadError`, `LibraryError`, `Refusal`
    func create(
        name: String, type: String?, byteCount: Int64, _ caller: GatewayRequestContext
    ) async throws -> (id: String, upload: Upload)

    /// The upload that a path names: the name that the sender has for the file, and the number of bytes that have
    /// arrived.
    ///
    /// - Throws: as ``create(name:type:byteCount:_:)``.
    func upload(
        _ id: String, _ caller: GatewayRequestContext
    ) async throws -> (name: String, upload: Upload, offset: Int64)

    /// Ends an upload and deletes what has arrived.
    ///
    /// - Throws: as ``create(name:type:byteCount:_:)``.
    func delete(_ id: String, _ caller: GatewayRequestContext) async throws

    /// The path of the resource that a complete file became.
    func location(of item: IngestedItem, id: String) -> String

    /// The path of the resource that a complete file became.
    func location(of upload: Upload, id: String) -> String
}
