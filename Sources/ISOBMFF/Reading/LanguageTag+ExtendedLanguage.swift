import MediaCore
import NIOCore

extension LanguageTag {
    /// Reads `elng` (ISO/IEC 14496-12 §8.4.6), a zero-terminated BCP 47 tag; `nil` if there is none or it is damaged.
    init?(extended box: Box?) {
        guard let content = try? box?.fullBox().rest else { return nil }
        self.init(String(decoding: content.readableBytesView.prefix { $0 != 0 }, as: UTF8.self))
    }
}
