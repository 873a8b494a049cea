import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import SiteTexts
import Workflows

/// The pages of the site as an app: how to install it, and what is shown without a network.
struct InstallationPages: Sendable {
    var endpoints: [Endpoint] {
        [
            Endpoint(.get, InstallationPath.install, .needs(.read, .site)) { request, context in
                let page = SitePage(.installation, request, context)
                let text = InstallationText.preferred(request.headers[.acceptLanguage])
                return try page.response(["i": text, "isInstallation": true], title: text.heading)
            },
            Endpoint(.get, InstallationPath.offline, .open(reason: "it says nothing about the station but its name")) {
                request, context in
                let text = InstallationText.preferred(request.headers[.acceptLanguage])
                return try SitePage(.installation, request, context).response(
                    ["i": text], title: text.offline)
            },
            Endpoint(.get, InstallationPath.sharing, .open(reason: "it leads to a page with a rule of its own")) {
                _, _ in
                Response(status: .seeOther, headers: [.location: VideoPath.upload, .cacheControl: "no-store"])
            },
        ]
    }
}
