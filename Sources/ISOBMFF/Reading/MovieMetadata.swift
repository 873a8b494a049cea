import MediaCore
import NIOCore

/// iTunes-style metadata, from which only the title is used: `udta`/`meta`/`ilst`/`©nam`/`data`.
struct MovieMetadata {
    var title: String?

    /// Limit on the length of a title; longer titles are cut.
    static let maximumTitleByteCount = 1_024

    init(parsing userData: Box?) throws(ISOBMFFError) {
        guard let meta = try userData?.children().first("meta"),
            let list = try meta.children(skipping: 4).first("ilst"),
            let name = try list.children().first(where: { $0.type.rawValue == 0xA96E_616D }),
            let data = try name.children().first("data")
        else { return }
        var value = try data.payload()
        guard value.readInteger(as: UInt32.self) == 1, value.readInteger(as: UInt32.self) != nil else { return }
        let count = min(value.readableBytes, Self.maximumTitleByteCount)
        let text = value.readString(length: count)?.trimmingControlCharacters()
        title = text?.isEmpty == false ? text : nil
    }
}

extension String {
    fileprivate func trimmingControlCharacters() -> String {
        String(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD }.map(Character.init))
    }
}
