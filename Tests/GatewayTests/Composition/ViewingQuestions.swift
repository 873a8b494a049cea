import GatewayTestSupport
import HLSDelivery
import HTTPTypes
import RTSPServer
import Testing

@testable import Gateway

/// Asks by HTTP and by RTSP whether somebody may watch the title `film` of the file `film.mp4`, as the server does.
struct ViewingQuestions {
    let viewing: AccountsViewing
    let admission: AccountsRTSPAdmission

    /// Every kind of URL of the title, by both names. What the router serves beside them is in `RentalRouteTests`.
    static let targets =
        MediaPaths.all(title: "film", file: "film.mp4").filter { $0.hasPrefix("/vod/") } + [
            "/vod/_definst_/mp4:film.mp4/r1/video/1.m4s"
        ]

    func decide(_ target: String, _ credential: String? = nil) async throws -> ViewingDecision {
        let address = try #require(MediaAddress(target: target))
        guard address.signature != nil || !viewing.isForEveryone(address.subject) else { return .open }
        if let signature = address.signature, let decision = viewing.decideNow(signature: signature, address) {
            return decision
        }
        var fields: HTTPFields = [:]
        if let credential { fields[.authorization] = "Bearer \(credential)" }
        return await viewing.decide(ViewingRequest(address, fields: fields, target: target, peer: nil))
    }

    func play(_ token: String?, _ path: String = "/vod/film") async -> RTSPAdmissionDecision {
        await admission.decide(token.map { .token($0) }, playing: .title(path: path), from: nil)
    }
}
