import HTTPEndpoints
import HTTPTypes
import ServerSettings
import VideoClub
import WebAPI
import WebSite

/// The pages that everybody sees, and what the API says about the server itself.
struct SiteFeature: Feature {
    let endpoints: [Endpoint]
    private let face: CurrentFace

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(CurrentFace(ground.channelsFile.face))
    }

    init?(_ station: Station) {
        let face = station.parts[CurrentFace.self] ?? CurrentFace(StationFace())
        self.face = face
        let about = AboutEndpoints(content: station.content, presets: station.presets, rtspPort: station.ports.rtsp)
        let site = SiteEndpoints(
            content: station.content, club: station.parts[VideoClub.self], editsChannels: station.reloader != nil,
            finders: Self.finders(station), face: { face.face }, rtspPort: station.ports.rtsp)
        endpoints = about.endpoints + site.endpoints
    }

    private static func finders(_ station: Station) -> SiteEndpoints.Finders {
        var finders = SiteEndpoints.Finders()
        finders.continued = PositionFeature.continued(station)
        finders.position = PositionFeature.position(station)
        finders.competitions = CommunityFeature.competitions(station)
        finders.watched = PositionFeature.watched(station)
        finders.community = CommunityFeature.hits(station)
        return finders
    }

    func prepare(_ page: inout GatewayRequestContext, _ fields: HTTPFields) async { page.face = face.face }

    func use(_ file: ChannelsFile, _ configuration: ServerConfiguration) { face.face = file.face }
}
