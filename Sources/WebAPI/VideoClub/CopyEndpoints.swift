import APIContract
import APIDeclarations
import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import MediaAccess
import MediaCore
import OfflineCopyFormat
import VideoClub
import Viewing
import Workflows

/// Offline copies for members and their devices: what can be downloaded, manifests, keys, states.
///
/// The addresses in a manifest are signed and need no header; `CopyFileEndpoints` answers them.
struct CopyEndpoints: Sendable {
    let context: ClubContext
    let copies: OfflineCopies
    /// Signs the addresses in manifests.
    let links: MediaLinks
    let content: any TitleContent
    let library: any LibraryDetailEditing
    /// Sends posters.
    let files: FileEndpoints

    private static let rule = AccessRule.memberOrDevice(
        .read, reason: "the handler knows the rentals of the caller, or of the device's owner, only")

    var endpoints: [Endpoint] {
        [
            Endpoint(VideoClubAPI.getRentalDownload, Self.rule, handler: download),
            Endpoint(VideoClubAPI.getRentalPoster, Self.rule, handler: poster),
            Endpoint(VideoClubAPI.getCopyKey, Self.rule, handler: key),
            Endpoint(VideoClubAPI.setCopyState, Self.rule, handler: note),
        ]
    }

    /// The sender of a request: a member, or one of a member's devices.
    private struct Requester {
        var user: UserID
        var device: ClubDevice?
    }

    private func requester(_ caller: GatewayRequestContext) async throws -> Requester {
        guard let secret = caller.identity.device else {
            return Requester(user: try VideoClub.member(caller.caller).id, device: nil)
        }
        guard let device = try await context.club.device(with: secret) else {
            var problem = ProblemDetails(
                .unauthorized, "the device was removed, or its credential is wrong; register it again")
            problem.headers[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
            throw problem
        }
        // Members are counted before their requests reach a handler.
        try context.accounts.limits.admitRequest(of: device.user)
        return Requester(user: device.user, device: device)
    }

    /// The downloads that a rental offers; with `?rendition=`, the manifest of a copy, or 202 while it is prepared.
    private func download(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let requester = try await requester(caller)
        let rental = try await copies.rental(try caller.parameters.identifier(of: "rental"), of: requester.user)
        let title = try await describe(rental)
        let states = try await copies.renditions(for: rental, device: requester.device?.id)
        guard let name = PageRequest.value(of: "rendition", in: request) else {
            return CopyOfferFields.object { fields in
                [
                    fields.rental(title.rental), fields.title(title.id), fields.name(title.name),
                    fields.details(title.details),
                    fields.renditions(states.map { APIResources.rendition($0.rendition, $0.state) }),
                ]
            }.response()
        }
        guard let known = states.first(where: { $0.rendition.name == name }) else {
            let names = states.map(\.rendition.name).joined(separator: ", ")
            throw ProblemDetails(.notFound, "the title has no such rendition; it has \(names)")
        }
        switch try await copies.copy(for: rental, rendition: name, device: requester.device?.id) {
        case .preparing(let progress):
            var response = CopyProgressFields.object {
                [
                    $0.rental(title.rental), $0.title(title.id), $0.name(title.name), $0.details(title.details),
                    $0.rendition(name), $0.byteCount(Int(known.rendition.byteCount)),
                    $0.progress((progress * 1_000).rounded() / 1_000),
                ]
            }.response(status: .accepted)
            response.headers[.retryAfter] = "1"
            return response
        case .ready(let copy):
            let manifest = try await manifest(of: copy, rental, requester.device)
            let state = requester.device != nil && known.state == .none ? .partial : known.state
            return CopyManifestFields.object { fields in
                var members: [JSONText.Field] = [
                    fields.rental(title.rental), fields.title(title.id), fields.name(title.name),
                    fields.details(title.details),
                ]
                members += manifest.fields
                members.append(fields.state(CopyState(state.rawValue)))
                return members
            }.response()
        }
    }

    /// The data of the title that a device keeps beside the copy.
    private struct RentedTitle {
        var rental: APIObject<RentalFields>
        var id: String
        var name: String
        var details: JSONText
    }

    private func describe(_ rental: Rental) async throws -> RentedTitle {
        let details = try await library.details(of: rental.titleID, in: .titles)
        return RentedTitle(
            rental: APIResources.rental(rental, at: context.club.now, playlist: nil), id: rental.titleID,
            name: rental.titleName,
            details: details.map { APIResources.details($0, LibrarySection.titles.detailFields).json } ?? .object([]))
    }

    private func manifest(
        of copy: OfflineCopy, _ rental: Rental, _ device: ClubDevice?
    ) async throws -> CopyManifest {
        let digests = try await copies.chunkDigests(of: copy)
        guard let plan = ChunkPlan(byteCount: copy.byteCount, chunkByteCount: copy.chunkByteCount),
            digests.count == plan.count
        else { throw ProblemDetails(.internalServerError, "the copy's digests are damaged") }
        let folder = CopyFileEndpoints.folder(of: copy.id, device?.id)
        let signature = ViewingSignatures(links).signature(ofCopyIn: folder, rental).text
        func address(_ name: String) -> String {
            let path = CopyFileEndpoints.path(folder, signature: signature, name)
            return context.publicAddress?.url(path) ?? path
        }
        return CopyManifest(
            copy: copy.id.text, rendition: copy.rendition, plan: plan, digest: copy.digest.hexadecimalDigits,
            chunkDigests: digests.map(\.hexadecimalDigits), entityTag: CopyFileEndpoints.entityTag(of: copy),
            url: address(CopyFileEndpoints.bytesName), metalink: address(CopyFileEndpoints.metalinkName))
    }

    /// The title's poster, which a device keeps beside the copy. Its own address may be for people who have logged in.
    private func poster(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let requester = try await requester(caller)
        let rental = try await copies.rental(try caller.parameters.identifier(of: "rental"), of: requester.user)
        guard let title = try await content.title(id: rental.titleID) else {
            throw ProblemDetails(.notFound, "the title was deleted")
        }
        return try await files.poster(of: title, cacheControl: "private, no-cache", request)
    }

    /// The key of a copy, for a device while the rental's time runs.
    private func key(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let requester = try await requester(caller)
        let rental = try await copies.rental(try caller.parameters.identifier(of: "rental"), of: requester.user)
        guard let device = requester.device else {
            throw ProblemDetails(.forbidden, "keys are wrapped for devices; send the credential of a device")
        }
        let (copy, wrap) = try await copies.wrappedKey(
            for: rental, rendition: try caller.parameters.require("rendition"), device: device)
        return CopyKeyFields.object {
            [
                $0.copy(copy.id.text), $0.device(device.id.text),
                $0.encapsulatedKey(Data(wrap.encapsulatedKey).base64EncodedString()),
                $0.ciphertext(Data(wrap.ciphertext).base64EncodedString()),
                $0.rental(APIResources.rental(rental, at: copies.club.now, playlist: nil)),
            ]
        }.response()
    }

    /// The body is `{"state": "downloaded"}`.
    private func note(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let requester = try await requester(caller)
        let body = try await BodyFields(request, CopyStateChangeFields.self)
        guard let state = try body.value(\.state, CopyDownloadState.self) else {
            throw Refusal.missing(["state"])
        }
        let rental = try await copies.rental(try caller.parameters.identifier(of: "rental"), of: requester.user)
        guard let device = requester.device else {
            throw ProblemDetails(.forbidden, "only a device can report progress; send the credential of a device")
        }
        try await copies.note(
            state, for: rental, rendition: try caller.parameters.require("rendition"), device: device.id)
        return Response(status: .noContent)
    }
}

extension APIResources {
    /// The JSON of a rendition that can be copied.
    static func rendition(
        _ rendition: CopyRendition, _ state: CopyDownloadState
    ) -> APIObject<CopyOfferRenditionFields> {
        CopyOfferRenditionFields.object {
            [
                $0.rendition(rendition.name), $0.byteCount(Int(rendition.byteCount)),
                $0.bandwidth(rendition.bandwidth), $0.width(rendition.width), $0.height(rendition.height),
                $0.codecs(rendition.codecs), $0.state(CopyState(state.rawValue)),
            ]
        }
    }
}
