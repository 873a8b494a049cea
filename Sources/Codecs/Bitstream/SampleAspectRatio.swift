/// The shape of one pixel, width to height (ITU-T H.264 table E-1).
package struct SampleAspectRatio: Sendable, Hashable {
    package var width: UInt32
    package var height: UInt32

    /// Creates a ratio whose sides are known to be positive; `init(checkingWidth:height:)` is for those of a stream.
    package init(width: UInt32, height: UInt32) {
        self.width = width
        self.height = height
    }

    package static let square = SampleAspectRatio(width: 1, height: 1)

    /// Ratios for aspect_ratio_idc 1 to 16 (ITU-T H.264 table E-1), which H.264 and HEVC share.
    private static let table: [(UInt32, UInt32)] = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
        (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    /// Looks up an aspect_ratio_idc; `nil` for 0 (unspecified), 255 (explicit width and height) and reserved values.
    package init?(aspectRatioIDC: UInt32) {
        guard (1...16).contains(aspectRatioIDC) else { return nil }
        let entry = Self.table[Int(aspectRatioIDC) - 1]
        self.init(width: entry.0, height: entry.1)
    }

    /// Creates a ratio from explicit sides; `nil` if one of them is zero, which means "unspecified".
    package init?(checkingWidth width: UInt32, height: UInt32) {
        guard width > 0, height > 0 else { return nil }
        self.init(width: width, height: height)
    }
}
