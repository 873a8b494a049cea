import APIContract
import Accounts
import Foundation
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaAccess
import MediaCore
import NIOCore
import OfflineCopyFormat
import VideoClub
import Viewing

/// The bytes of offline copies, and the same as Metalink 4, at signed addresses that need no header.
///
/// Each request asks whether the rental still lasts: an address is no longer worth anything once that has ended, or the
/// device was removed.
struct CopyFileEndpoints: Sendable {
    let context: ClubContext
    private let copies: OfflineCopies
    /// Decides by the signatures in paths.
    private let gate: DownloadGate
    /// Three pieces of 256 KiB for each download; clients use 16 connections at most for one copy on one device.
    private let places = DownloadPlaces(maximumCount: 256, maximumCountOfHolder: 16)

    static let bytesName = "copy.bin"
    static let metalinkName = "copy.meta4"
    /// The device in the address that a member gets.
    private static let nobody = "member"
    /// Size of a piece: a read, an encryption and a write.
    private static let pieceByteCount: Int64 = 256 << 10

    init(context: ClubContext, copies: OfflineCopies, links: MediaLinks) {
        (self.context, self.copies, gate) = (context, copies, DownloadGate(copies, links))
    }

    /// The text that is signed.
    static func folder(of copy: OpaqueID, _ device: OpaqueID?) -> String {
        "/copies/\(copy.text)/\(device?.text ?? nobody)"
    }

    static func path(_ folder: String, signature: String, _ name: String) -> String { "\(folder)/\(signature)/\(name)" }

    static func entityTag(of copy: OfflineCopy) -> String { "\"\(copy.id.text)\"" }

    var endpoints: [Endpoint] {
        let open = AccessRule.open(reason: "the signature in the path decides")
        let folder = "/copies/{copy}/{device}/{signature}"
        return [
            Endpoint(.get, "\(folder)/\(Self.bytesName)", open, handler: bytes),
            Endpoint(.get, "\(folder)/\(Self.metalinkName)", open, handler: metalink),
        ]
    }

    /// The copy that a path names.
    ///
    /// - Throws: `ProblemDetails`: 403 for a signature that is not valid, 410 if the rental has ended.
    private func found(
        _ caller: GatewayRequestContext
    ) async throws -> (copy: OfflineCopy, rental: Rental, folder: String, signature: String) {
        let (copy, device) = (try caller.parameters.require("copy"), try caller.parameters.require("device"))
        let signature = try caller.parameters.require("signature")
        let holder = device == Self.nobody ? nil : OpaqueID(parsing: device)
        guard let id = OpaqueID(parsing: copy), holder != nil || device == Self.nobody else { throw Self.wrongAddress }
        let folder = Self.folder(of: id, holder)
        do {
            let found = try await gate.copy(
                id, device: holder, signature: signature, in: folder, caller.identity.audiences)
            return (found.copy, found.rental, folder, signature)
        } catch let denial as DownloadDenial {
            throw Self.problem(denial)
        }
    }

    private static func problem(_ denial: DownloadDenial) -> ProblemDetails {
        switch denial {
        case .wrongAddress: wrongAddress
        case .expired:
            ProblemDetails(.forbidden, "the address has expired; ask for the manifest again", type: .linkNotValid)
        case .hidden: ProblemDetails(.notFound, "there is no such title")
        case .unavailable: ProblemDetails(.serviceUnavailable, "the database does not answer; try again")
        }
    }

    private static let wrongAddress = ProblemDetails(
        .forbidden, "the signature in the address is not this server's; ask for the manifest again",
        type: .linkNotValid)

    private func bytes(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (copy, rental, folder, _) = try await found(caller)
        let bytes = try await copies.bytes(of: copy, title: rental.titleID)
        let fields: HTTPFields = [.contentType: "application/octet-stream", .cacheControl: "private, no-cache"]
        let selected = SelectedRepresentation(
            request: request.head, fields: fields, etag: Self.entityTag(of: copy), byteCount: copy.byteCount)
        var response = Response(status: selected.head.status, headers: selected.head.headerFields)
        // RFC 9530: that of the whole copy, and that of a chunk for a request that asks for exactly one.
        response.headers[.reprDigest] = Self.digestField(copy.digest)
        if let chunk = try await copies.chunkDigest(of: copy, range: selected.range) {
            response.headers[.contentDigest] = Self.digestField(chunk)
        }
        guard !selected.range.isEmpty, request.method == .get else { return response }
        guard let place = places.take(folder) else {
            var problem = ProblemDetails(
                .serviceUnavailable, "too many offline copies are being downloaded; try again with fewer connections")
            problem.headers[.retryAfter] = "2"
            throw problem
        }
        response.body = Self.body(of: bytes, selected.range, place)
        return response
    }

    private static func digestField(_ digest: [UInt8]) -> String {
        "sha-256=:\(Data(digest).base64EncodedString()):"
    }

    private static func body(
        of bytes: EncryptedCopy, _ range: Range<Int64>, _ place: DownloadPlaces.Place
    ) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var position = range.lowerBound
            while position < range.upperBound {
                // Pieces end at multiples of their size, so that none begins in the middle of a cipher's block.
                let end = min(range.upperBound, (position / pieceByteCount + 1) * pieceByteCount)
                try await writer.write(ByteBuffer(bytes: try await bytes.read(position..<end)))
                position = end
            }
            withExtendedLifetime(place) {}
            try await writer.finish(nil)
        }
    }

    private func metalink(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (copy, rental, folder, signature) = try await found(caller)
        guard let plan = ChunkPlan(byteCount: copy.byteCount, chunkByteCount: copy.chunkByteCount) else {
            throw Self.wrongAddress
        }
        let digests = try await copies.chunkDigests(of: copy)
        let origin = try context.publicAddress?.origin ?? Self.origin(of: request.head)
        func address(_ name: String) -> String { origin + Self.path(folder, signature: signature, name) }
        let manifest = CopyManifest(
            copy: copy.id.text, rendition: copy.rendition, plan: plan, digest: copy.digest.hexadecimalDigits,
            chunkDigests: digests.map(\.hexadecimalDigits), entityTag: Self.entityTag(of: copy),
            url: address(Self.bytesName), metalink: address(Self.metalinkName))
        let text = CopyMetalink(manifest, name: "\(rental.titleID)-\(copy.rendition).antenacopy").rendered()
        return Response(
            status: .ok, headers: [.contentType: CopyMetalink.mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The address at which a client of a server without a public address has found the Metalink. Only its own answer,
    /// which no cache keeps, is made from it.
    ///
    /// - Throws: `ProblemDetails` with 404 if the client seems to speak HTTPS with a proxy that the operator has not
    ///   named: addresses with `http` would lead nowhere.
    static func origin(of head: HTTPRequest) throws -> String {
        guard head.scheme == "https" || !TrustedProxies.claimsHTTPS(head.headerFields) else {
            throw ProblemDetails(
                .notFound,
                "this server does not know its own address, which a Metalink needs: its operator has to set "
                    + "--public-url, or --trusted-proxy with the address of the proxy that speaks HTTPS",
                type: .notAvailable)
        }
        guard let host = head.authority,
            host.wholeMatch(of: /[A-Za-z0-9.\-]+(:[0-9]+)?|\[[0-9A-Fa-f:.]+\](:[0-9]+)?/) != nil
        else { return "" }
        return "\(head.scheme == "https" ? "https" : "http")://\(host)"
    }
}

extension HTTPField.Name {
    /// RFC 9530 §3.
    fileprivate static let reprDigest = HTTPField.Name("Repr-Digest") ?? .eTag
    /// RFC 9530 §2.
    fileprivate static let contentDigest = HTTPField.Name("Content-Digest") ?? .eTag
}
