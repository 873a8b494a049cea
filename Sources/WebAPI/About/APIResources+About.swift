import APIContract
import APIDeclarations
import HTTPEndpoints
import Workflows

extension APIResources {
    /// The body of `/api/v1/about`.
    ///
    /// - Parameter rtspPort: the port of the RTSP listener without TLS; `nil` if there is none.
    static func about(_ numbers: AboutNumbers, rtspPort: Int?) -> APIObject<AboutFields> {
        let percentages = numbers.shares.percentages
        func share(_ count: Int, _ index: Int) -> APIObject<ShareFields> {
            ShareFields.object { [$0.count(count), $0.percentage(percentages[index])] }
        }
        return AboutFields.object {
            [
                $0.name(Product.name), $0.version(Product.version), $0.author(Product.author),
                $0.liveChannels(share(numbers.liveChannels, 0)), $0.titles(share(numbers.titles, 1)),
                $0.tracks(share(numbers.tracks, 2)), $0.total(numbers.shares.total),
                $0.channelsOnAir(numbers.channelsOnAir), $0.chart("/about/chart.svg"), $0.rtspPort(rtspPort),
                $0.messaging(messagingLimits),
            ]
        }
    }
}
