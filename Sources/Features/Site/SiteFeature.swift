import Accounts
import HTTPEndpoints
import HTTPTypes
import WebAPI
import VideoClub
import WebSite

/// The pages that everybody sees, and what the API says about the server itself.
struct SiteFeature: Feature {
    let endpoints: [Endpoint]
    private let accounts: Accounts?

    init?(_ station: Station) {
        let about = AboutEndpoints(content: station.content, presets: station.presets, rtspPort: station.ports.rtsp)
        let site = SiteEndpoints(
            content: station.content, club: station.parts[VideoClub.self], editsChannels: station.reloader != nil,
            continued: PositionFeature.continued(station), rtspPort: station.ports.rtsp)
        endpoints = about.endpoints + site.endpoints
        accounts = station.authority.accounts
    }

    func prepare(_ page: inout GatewayRequestContext, _ fields: HTTPFields) async {
        page.siteName = accounts?.settings.issuer
    }
}
