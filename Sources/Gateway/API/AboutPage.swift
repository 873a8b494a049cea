import Hummingbird
import LiveChannels
import NIOCore

/// The counts shown on `/acerca`, `/about/chart.svg` and `/api/v1/about`.
package struct AboutNumbers: Sendable, Equatable {
    /// Configured channels. The chart shows what the platform offers, not who is broadcasting right now.
    package var liveChannels: Int
    /// Channels that are on the air: `live`, or `interrupted`, because the viewers of those are still watching.
    package var channelsOnAir: Int
    /// Titles that can be played.
    package var titles: Int
    /// Tracks that can be played.
    package var tracks: Int

    /// The pie chart of these counts, labelled in the language of `text`.
    package func chart(_ text: SiteText = .english) -> PieChart {
        PieChart(
            title: text.chartTitle,
            categories: [
                PieChart.Category(name: text.liveChannels, count: liveChannels),
                PieChart.Category(name: text.videoTitles, count: titles),
                PieChart.Category(name: text.audioTracks, count: tracks),
            ],
            emptyText: text.chartEmpty)
    }

    /// The body of `/api/v1/about`.
    ///
    /// - Parameter rtspPort: the port of the RTSP listener without TLS; `nil` omits it.
    func json(rtspPort: Int?) -> JSONText {
        let percentages = chart().percentages
        func share(_ count: Int, _ index: Int) -> JSONText {
            .object([("count", .integer(count)), ("percentage", .integer(percentages[index]))])
        }
        return .object([
            ("name", .string(Product.name)), ("version", .string(Product.version)), ("author", .string(Product.author)),
            ("liveChannels", share(liveChannels, 0)), ("titles", share(titles, 1)), ("tracks", share(tracks, 2)),
            ("total", .integer(chart().total)), ("channelsOnAir", .integer(channelsOnAir)),
            ("chart", .string("/about/chart.svg")), ("rtspPort", .optional(rtspPort)),
        ])
    }
}

/// The name, version and author that this program reports.
package enum Product {
    package static let name = "Antena"
    package static let version = "0.1.0"
    package static let author = "The Antena founders"
}

/// The numbers and the chart of the about page, counted again for each request.
struct AboutPage: Sendable {
    let content: any ContentSource

    func numbers() async throws -> AboutNumbers {
        let counts = try await content.readyCounts()
        let channels = content.channels()
        return AboutNumbers(
            liveChannels: channels.count, channelsOnAir: channels.count { $0.state != .idle }, titles: counts.titles,
            tracks: counts.tracks)
    }

    var endpoint: Endpoint {
        Endpoint(.get, "/about/chart.svg") { request, _ in
            let text = SiteText.preferred(request.headers[.acceptLanguage])
            let svg = try await numbers().chart(text).svg()
            return Response(
                status: .ok,
                headers: [
                    .contentType: "image/svg+xml; charset=utf-8", .cacheControl: "no-cache", .vary: "Accept-Language",
                    // The chart has an inline style sheet with colours for light and dark mode.
                    .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: svg)))
        }
    }
}
