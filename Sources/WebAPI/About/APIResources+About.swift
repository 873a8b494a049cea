import APIContract
import HTTPEndpoints
import JSONDocument
import Workflows

extension APIResources {
    /// The body of `/api/v1/about`.
    ///
    /// - Parameter rtspPort: the port of the RTSP listener without TLS; `nil` omits it.
    static func about(_ numbers: AboutNumbers, rtspPort: Int?) -> JSONText {
        let percentages = numbers.shares.percentages
        func share(_ count: Int, _ index: Int) -> JSONText {
            .object([("count", .integer(count)), ("percentage", .integer(percentages[index]))])
        }
        return .object([
            ("name", .string(Product.name)), ("version", .string(Product.version)), ("author", .string(Product.author)),
            ("liveChannels", share(numbers.liveChannels, 0)), ("titles", share(numbers.titles, 1)),
            ("tracks", share(numbers.tracks, 2)), ("total", .integer(numbers.shares.total)),
            ("channelsOnAir", .integer(numbers.channelsOnAir)), ("chart", .string("/about/chart.svg")),
            ("rtspPort", .optional(rtspPort)),
        ])
    }
}
