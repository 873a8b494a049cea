package import Accounts
package import Community
package import HTTPEndpoints
import LibraryCore
import LibraryDetails
package import Logging
import LogMetadata
package import MediaAccess
package import MediaCore
package import MediaIntake
import MediaWorker

/// Members' uploads, from the first byte to a video that plays in several qualities: `Community` keeps their
/// descriptions, the library receives the file and makes a title of it, and this carries out what either needs of the
/// other.
package struct MemberUploads: Sendable {
    package let community: Community
    package let library: any LibraryOperations
    /// The presets of which the renditions of a video are chosen.
    private let presets: @Sendable () -> [QualityPreset]
    /// Decides who may watch a title; `nil` for a server on which everybody may.
    private let audiences: TitleAudiences?

    /// - Parameters:
    ///   - community: keeps what members say.
    ///   - library: receives files.
    ///   - audiences: decides who may watch a title; `nil` for a server on which everybody may.
    ///   - presets: the presets of the server.
    package init(
        _ community: Community, library: any LibraryOperations, audiences: TitleAudiences?,
        presets: @escaping @Sendable () -> [QualityPreset]
    ) {
        (self.community, self.library) = (community, library)
        (self.audiences, self.presets) = (audiences, presets)
    }

    /// The longest time between two calls of ``tend(_:)``. It is called whenever something in the database has changed,
    /// such as a title that plays now; only uploads that expire have to wait.
    package static let interval = Duration.seconds(10)

    /// The rendition that every video of a member has, for poor mobile lines, unless the file itself is as small.
    package static let mobilePreset = QualityPreset(
        name: "mobile", width: 320, height: 180, frameRate: 24, videoBitRate: 150_000, audioBitRate: 64_000)

    /// The BANDWIDTH below which that rendition stays with its audio, in bits per second.
    package static let mobileBandwidthLimit = 400_000

    /// Whether somebody may send videos.
    package static func maySend(_ caller: GatewayRequestContext) -> Bool { caller.may(.upload, resource(caller)) }

    /// - Throws: `ProblemDetails` with 401 or 403 for somebody who may not send videos, such as a token for something
    ///   else.
    package static func requireSending(_ caller: GatewayRequestContext) throws {
        try caller.require(.upload, resource(caller))
    }

    private static func resource(_ caller: GatewayRequestContext) -> Resource {
        .title(owner: caller.principal.member?.id)
    }

    /// Begins a resumable upload of a member.
    ///
    /// - Parameters:
    ///   - name: the name that the member's device has for the file.
    ///   - type: its media type; `nil` if the device did not say. It decides about a name without a file extension.
    ///   - byteCount: the size of the file.
    ///   - caller: the member. Whether they may send files is for the caller of this to ask.
    /// - Throws: `Refusal`, `UploadError`, `LibraryError`
    package func begin(
        name: String, type: String?, byteCount: Int64, by caller: Caller
    ) async throws -> (upload: MemberUpload, received: Upload) {
        let received = try ReceivedName(ReceivedFileName.completed(name, ofType: type))
        guard received.section == .titles else {
            throw LibraryError(.notMedia, "\(received.text) is not a video; members can only upload videos")
        }
        let ending = received.text.split(separator: ".").last.map(String.init)?.lowercased() ?? ""
        try await makePlace(for: caller)
        let upload = try await community.beginUpload(
            fileName: name, fileExtension: ending, byteCount: byteCount, by: caller)
        do {
            let receiver = try await library.createUpload(
                name: upload.file, byteCount: byteCount, from: .member(upload.owner?.text ?? upload.id.text))
            try await community.setReceiver(receiver.id, of: upload.id)
            return (upload, receiver)
        } catch {
            try await community.forget(upload)
            throw error
        }
    }

    /// Ends the upload of a member that has waited longest for bytes if there are as many as a member may have. It has
    /// to have waited for ten minutes, as for the places of all members.
    private func makePlace(for caller: Caller) async throws {
        let waiting = try await community.uploadsInTheWay(of: caller)
        let receivers = Set(waiting.compactMap(\.upload))
        guard !receivers.isEmpty, let ended = try await library.endPausedUpload(among: receivers),
            let upload = waiting.first(where: { $0.upload == ended })
        else { return }
        try await community.forget(upload)
    }

    /// The resumable upload that receives an upload's file, and the number of bytes that have arrived.
    ///
    /// - Throws: `ProblemDetails` with 404 if it has expired.
    package func received(_ upload: MemberUpload) async throws -> (upload: Upload, offset: Int64) {
        guard let receiver = upload.upload, let found = try await library.upload(id: receiver) else {
            throw ProblemDetails.missing("upload", upload.id.text, "unfinished uploads expire after a day")
        }
        return found
    }

    /// Changes what a member says of a video that they have sent, and publishes it; see `Community.describe`. What is
    /// published plays when this returns.
    package func describe(
        _ id: OpaqueID, from revisions: Set<Int64>? = nil, publishes: Bool, by caller: Caller,
        _ body: @escaping @Sendable (inout VideoContents) throws -> Void
    ) async throws -> MemberUpload {
        let upload = try await community.describe(id, from: revisions, publishes: publishes, by: caller, body)
        // Otherwise it would play half a second later.
        if upload.video != nil { try await audiences?.refresh() }
        return upload
    }

    /// Deletes an upload with its file, and its video if it is published. Nobody finds it when this returns; a player
    /// that has its address goes on for at most the two seconds for which delivery keeps what it has looked up.
    package func delete(_ id: OpaqueID, by caller: Caller) async throws {
        try await community.deleteUpload(id, by: caller)
        try await audiences?.refresh()
    }

    // MARK: What is to be done

    /// Publishes playable uploads on request, orders their renditions, and deletes unwanted ones. Failed
    /// steps are tried again with the next call.
    package func tend(_ logger: Logger) async throws {
        var last: MemberUpload?
        repeat {
            let uploads = try await community.openUploads(after: last)
            for upload in uploads {
                do {
                    try await tend(upload)
                } catch {
                    logger.warning(
                        "member upload could not be processed; will retry",
                        metadata: [.uploadID: "\(upload.id)", .error: "\(error)"])
                }
            }
            last = uploads.last
        } while last != nil
    }

    private func tend(_ upload: MemberUpload) async throws {
        if upload.isRemoved { return try await delete(upload) }
        guard let title = upload.title else {
            // Bytes may still come; see `MemberUpload.maximumAge`.
            if let receiver = upload.upload, try await library.upload(id: receiver) != nil { return }
            return try await community.forget(upload)
        }
        if upload.state == .failed { return try await community.noteFailure(of: upload) }
        if !upload.isPrepared { try await prepare(title.id) }
        var current = upload
        if upload.isWanted { current = try await community.publish(upload) }
        if let name = current.videoName, name != title.name {
            _ = try await library.chooseDetails(of: title.id, in: .titles, version: nil) {
                $0.set(.title, fromFile: name)
            }
        }
        try await community.close(current)
    }

    private func delete(_ upload: MemberUpload) async throws {
        if let receiver = upload.upload, try await library.upload(id: receiver) != nil {
            // A finished one leaves only its note.
            try? await library.deleteUpload(id: receiver)
        }
        if let title = upload.title { _ = try await library.deleteTitle(id: title.id) }
        try await community.forget(upload)
    }

    /// Lets a title that is published get the renditions that every video of a member has. If the library cannot make
    /// them, because too many jobs wait, say, the title is published all the same, and the log says so.
    package func makeRenditions(ofTitle id: String, logger: Logger) async {
        do {
            try await prepare(id)
        } catch {
            logger.warning(
                "renditions of a published title could not be queued",
                metadata: [.titleID: "\(id)", .error: "\(error)"])
        }
    }

    private func prepare(_ id: String) async throws {
        do {
            _ = try await library.makeLadder(
                ofTitle: id, presets: ladder, bandwidthLimit: Self.mobileBandwidthLimit)
        } catch let error as LibraryError where error.code != .limitExceeded {
            // A file without video, or one that cannot be encoded, plays as it is.
        } catch is WorkerFailure {
            // So does every file on a server without an encoder.
        }
    }

    /// The preset that every video has, and those of the server that are better.
    private var ladder: [QualityPreset] {
        let mobile = Self.mobilePreset
        return [mobile] + presets().filter { $0.videoBitRate > mobile.videoBitRate && $0.name != mobile.name }
    }
}
