import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import MediaAccess
import LiveChannels
import MediaCore
import SiteTexts
package import Workflows

/// The links with which one publisher pushes to a channel: a page for each channel, which works without a script.
package struct PublishLinkPages: Sendable {
    private let pages: AccountPages
    private let content: any ChannelContent
    private let links: MediaLinks
    private let ports: PublishingPorts

    private static let path = "\(EditingPath.channels){name}\(EditingPath.publishLinks)"
    private static let nameField = "name"
    private static let hoursField = "hours"
    private static let usualHours = 24

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - content: the channels.
    ///   - links: makes and ends links.
    ///   - ports: the ports to which publishers push.
    package init(pages: AccountPages, content: any ChannelContent, links: MediaLinks, ports: PublishingPorts) {
        (self.pages, self.content, self.links, self.ports) = (pages, content, links, ports)
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .channel(.manage)) { request, context in
                try await page(request, context)
            },
            Endpoint(.post, Self.path, .channel(.manage), handler: create),
            Endpoint(.post, "\(Self.path)\(EditingPath.removal)", .channel(.manage)) { request, context in
                let (channel, sent) = (try channel(context), try await FormFields(request))
                guard let id = OpaqueID(parsing: sent["id"] ?? "") else { throw ProblemDetails(.notFound) }
                do {
                    try await links.revokePublishLink(id, of: channel.name, by: context.caller)
                    return pages.redirect(EditingPath.publishLinks(ofChannel: channel.name))
                } catch let error as Refusal {
                    return try await page(error: error, request, context)
                }
            },
        ]
    }

    private func channel(_ context: GatewayRequestContext) throws -> (name: String, title: String) {
        let name = try context.parameters.require("name")
        guard let channel = content.channel(named: name) else { throw ProblemDetails(.notFound) }
        return (name, channel.title)
    }

    private func page(
        error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = ChannelText.preferred(request.headers[.acceptLanguage])
        let accountText = pages.text(request)
        let (channel, wanted) = (try channel(context), try PageRequest(request))
        let path = EditingPath.publishLinks(ofChannel: channel.name)
        let found = try await links.publishLinks(of: channel.name, after: wanted.cursor, limit: wanted.limit)
        var list = PageSection(text: text.publishLinksText)
        list.items = found.items.map { link in
            let isOver = link.revokedAt != nil || link.expiresAt <= links.now
            let detail: PageText = "\(text.linkEnds) \(accountText.time(link.expiresAt))"
            return PageSection.Item(
                text: link.name,
                detail: PageText(
                    joining: [
                        isOver ? PageText(text.linkIsOver) : detail,
                        link.usedBy.map { PageText("\(text.linkUsedBy) \($0)") },
                    ],
                    with: " · "),
                forms: isOver
                    ? []
                    : [PageForm.revoking(path + EditingPath.removal, link.id, accountText)])
        }
        if let next = found.next { list.links.append(("?cursor=\(next)", accountText.more)) }
        let form = PageSection(
            heading: text.newLink,
            forms: [
                PageForm(
                    action: path,
                    fields: [
                        .init(name: Self.nameField, label: text.linkName, isRequired: true),
                        .init(
                            name: Self.hoursField, label: text.linkHours, type: "number", value: "\(Self.usualHours)",
                            isRequired: true),
                    ], button: text.newLink)
            ], links: [(EditingPath.channel(channel.name), text.heading)])
        return try pages.answer(
            "\(channel.title): \(text.publishLinks)", [list, form], error: error.map(accountText.error), request,
            context,
            status: error.map(AccountPages.status) ?? .ok)
    }

    private func create(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let (channel, text) = (try channel(context), ChannelText.preferred(request.headers[.acceptLanguage]))
        let longest = Int(PublishLink.maximumLife.seconds) / 3_600
        let hours = min(max(sent.text(Self.hoursField).flatMap { Int($0) } ?? Self.usualHours, 1), longest)
        do {
            let new = try await links.createPublishLink(
                sent.text(Self.nameField) ?? channel.name, channel: channel.name,
                until: links.now + .seconds(hours * 3_600),
                by: context.caller)
            let visited = SitePage(.account, request, context)
            let host = pages.publicAddress?.host ?? visited.host
            let origin = pages.publicAddress?.origin ?? visited.origin
            // What stands behind the number sign is not sent to servers, so it is in no log.
            let page = "\(origin)\(BroadcastPage.path(ofChannel: channel.name))#token=\(new.secret.text)"
            let addresses = PublishLinkAddresses(new, host: host, ports)
            let others: [PageSection] = [addresses.rtmp, addresses.srt].compactMap(\.self).enumerated().map {
                PageSection(text: $0 == 0 ? text.newLinkEncoders : nil, secret: $1)
            }
            let back = (EditingPath.publishLinks(ofChannel: channel.name), pages.text(request).goBack)
            return try pages.answer(
                "\(channel.title): \(text.publishLinks)",
                [
                    PageSection(
                        text: text.newLinkText, code: QRCode(addresses.rtsp)?.svg(label: text.newLink),
                        secret: addresses.rtsp)
                ] + others + [
                    PageSection(
                        text: text.newLinkBrowser, code: QRCode(page)?.svg(label: text.newLink), secret: page,
                        links: [back])
                ], request, context)
        } catch let error as Refusal {
            return try await page(error: error, request, context)
        }
    }
}
