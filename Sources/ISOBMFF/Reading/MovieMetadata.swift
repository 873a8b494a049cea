import MediaCore
import NIOCore

/// iTunes-style metadata, of which the title, the artist and the album are used: `udta`/`meta`/`ilst`/`©nam`/`data`,
/// and `©ART` and `©alb` in place of `©nam`.
struct MovieMetadata {
    var title, artist, album: String?

    /// Limit on the length of a text; longer ones are cut.
    static let maximumTextByteCount = 1_024

    private static let (titleType, artistType, albumType): (UInt32, UInt32, UInt32) = (
        0xA96E_616D, 0xA941_5254, 0xA961_6C62
    )

    init(parsing userData: Box?) throws(ISOBMFFError) {
        guard let meta = try userData?.children().first("meta"),
            let list = try meta.children(skipping: 4).first("ilst")
        else { return }
        let items = try list.children()
        title = try Self.text(Self.titleType, in: items)
        // Other texts are not worth a title.
        artist = try? Self.text(Self.artistType, in: items)
        album = try? Self.text(Self.albumType, in: items)
    }

    private static func text(_ type: UInt32, in items: [Box]) throws(ISOBMFFError) -> String? {
        guard let item = items.first(where: { $0.type.rawValue == type }),
            let data = try item.children().first("data")
        else { return nil }
        var value = try data.payload()
        guard value.readInteger(as: UInt32.self) == 1, value.readInteger(as: UInt32.self) != nil else { return nil }
        let count = min(value.readableBytes, maximumTextByteCount)
        let text = value.readString(length: count)?.trimmingControlCharacters()
        return text?.isEmpty == false ? text : nil
    }
}

extension String {
    fileprivate func trimmingControlCharacters() -> String {
        String(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD }.map(Character.init))
    }
}
