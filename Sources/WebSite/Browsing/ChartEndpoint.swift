import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import NIOCore
import SiteTexts
import Workflows

/// The chart of the about page, `/about/chart.svg`, counted again for each request.
struct ChartEndpoint: Sendable {
    let content: any ChannelContent & ContentCounts

    var endpoint: Endpoint {
        Endpoint(.get, "/about/chart.svg", .needs(.read, .site)) { request, context in
            let text = SiteText.preferred(request.headers[.acceptLanguage])
            let form: PieChart.Form? = try PageRequest.choice("form", in: request)
            let measure: AboutNumbers.Measure? = try PageRequest.choice("by", in: request)
            let chart: PieChart
            switch measure ?? .count {
            case .count: chart = try await AboutNumbers(of: content, context).chart(text)
            case .duration:
                let durations = try await content.readyDurations(
                    visibleTitles: context.visibleTitles, visibleTracks: context.visibleTracks)
                chart = AboutNumbers.chart(of: durations, text)
            }
            let svg = chart.svg(form ?? .pie)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "image/svg+xml; charset=utf-8", .cacheControl: "no-cache", .vary: "Accept-Language",
                    // The chart has an inline style sheet with colours for light and dark mode.
                    .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: svg)))
        }.forPrograms
    }
}
