import GatewayTestSupport
import HLSDelivery
import HTTPTypes
import MediaCore
import NIOCore
import StreamConnections
import Testing

@testable import Gateway

/// Asks by HTTP and by RTSP whether somebody may watch the title `film` of the file `film.mp4`, as the server does.
struct ViewingQuestions {
    let viewing: AccountsViewing
    let admission: AccountsStreamAdmission

    /// Every kind of URL of the title, by both names. What the router serves beside them is in `RentalRouteTests`.
    static let targets =
        MediaPaths.all(title: "film", file: "film.mp4").filter { $0.hasPrefix("/vod/") } + [
            "/vod/_definst_/mp4:film.mp4/r1/video/1.m4s"
        ]

    /// - Parameters:
    ///   - client: the address of the player; `nil` for none.
    ///   - agent: the name of the player.
    func decide(
        _ target: String, _ credential: String? = nil, from client: String? = nil, agent: String? = nil
    ) async throws -> ViewingDecision {
        let address = try #require(MediaAddress(target: target))
        guard address.signature != nil || !viewing.isForEveryone(address.subject) else { return .open }
        var fields: HTTPFields = [:]
        if let credential { fields[.authorization] = "Bearer \(credential)" }
        fields[.userAgent] = agent
        let request = ViewingRequest(address, fields: fields, target: target, peer: try Self.peer(client))
        if let decision = viewing.decideNow(request) { return decision }
        return await viewing.decide(request)
    }

    func play(
        _ token: String?, _ path: String = "/vod/film", from peer: SocketAddress? = nil
    ) async -> StreamAdmissionDecision {
        await admission.decide(
            token.map { .token($0) }, playing: MediaSubject(path: path), at: path, from: peer)
    }

    private static func peer(_ address: String?) throws -> SocketAddress? {
        try address.map { try SocketAddress(ipAddress: $0, port: 554) }
    }
}
