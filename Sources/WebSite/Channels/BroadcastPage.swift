import Accounts
package import HTTPEndpoints
import Hummingbird
import JSONDocument
import LiveChannels
package import MediaCore
import Packaging
import SiteTexts
package import Workflows

/// The page on which somebody goes live from a browser: `/directo/NAME/emitir`. Everybody may open it; who may publish
/// is decided when the page connects, by the login or by the link in the address.
package struct BroadcastPage: Sendable {
    static let suffix = "/emitir"

    private let content: any ChannelContent
    private let presets: @Sendable () -> [QualityPreset]

    /// - Parameters:
    ///   - content: the channels.
    ///   - presets: the presets of the current configuration.
    package init(content: any ChannelContent, presets: @escaping @Sendable () -> [QualityPreset]) {
        (self.content, self.presets) = (content, presets)
    }

    static func path(ofChannel name: String) -> String { ResourcePaths.page(ofChannel: name) + suffix }

    package var endpoint: Endpoint {
        Endpoint(.get, "\(ResourcePaths.live)/{name}\(Self.suffix)", .needs(.read, .site)) { request, context in
            let name = try context.parameters.require("name")
            guard let channel = content.channel(named: name) else {
                throw ProblemDetails(.notFound, "there is no channel \(name)")
            }
            let page = SitePage(.broadcast, request, context)
            let text = BroadcastText.preferred(request.headers[.acceptLanguage])
            return try page.response(values(channel, text, context), title: text.heading)
        }
    }

    private func values(
        _ channel: ChannelStatus, _ text: BroadcastText, _ context: GatewayRequestContext
    ) -> [String: Any] {
        let allowed = presets().filter { channel.presets.contains($0.name) }
        // A channel that the visitor may not watch is not named, but the one that they were sent to is.
        let others = context.watchable(content.channels())
        let listed = others.contains { $0.name == channel.name } ? others : [channel] + others
        return [
            "b": text.values, "title": SitePage.displayed(channel.title), "name": channel.name,
            "ingest": "/ingest/\(channel.name)", "playlist": ResourcePaths.playerPlaylist(channel),
            "page": ResourcePaths.page(ofChannel: channel.name), "preset": channel.preset,
            "words": JSONText.object(text.words.map { ($0.0, .string($0.1)) }).rendered,
            "presets": JSONText.object(allowed.map { ($0.name, Self.settings($0)) }).rendered,
            "channels": listed.map { other in
                [
                    "path": Self.path(ofChannel: other.name), "title": SitePage.displayed(other.title),
                    "selected": other.name == channel.name,
                ] as [String: Any]
            },
            "qualities": allowed.map { preset in
                [
                    "name": preset.name, "selected": preset.name == channel.preset,
                    "label": "\(preset.name) · \(preset.width) × \(preset.height)",
                ] as [String: Any]
            },
        ]
    }

    private static func settings(_ preset: QualityPreset) -> JSONText {
        .object([
            ("width", .integer(preset.width)), ("height", .integer(preset.height)),
            ("frameRate", .number(preset.frameRate)), ("videoBitrate", .integer(preset.videoBitRate)),
            ("audioBitrate", .integer(preset.audioBitRate)),
        ])
    }
}
