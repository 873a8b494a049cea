/// A device of libavdevice, identified by a format and the name that the format uses: `v4l2` and `/dev/video0`.
public struct CaptureDevice: Hashable, Sendable {
    /// libavdevice's format, such as `v4l2`.
    public var format: String
    /// The device's name within the format, such as `/dev/video0`.
    public var name: String

    /// Creates a device from libavdevice's names.
    public init(format: String, name: String) {
        self.format = format
        self.name = name
    }

    /// The formats of libavdevice that users may name.
    static let formats: Set<String> = [
        "alsa", "fbdev", "jack", "kmsgrab", "lavfi", "openal", "oss", "pulse", "sndio", "v4l2", "x11grab", "xcbgrab",
    ]

    /// Parses `FORMAT:NAME`, or a name in the default format of its kind.
    ///
    /// - Parameters:
    ///   - text: The device, as written on the command line or in a profile.
    ///   - usual: The format of a bare name.
    public init(parsing text: String, usual: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count == 2, Self.formats.contains(String(parts[0])) {
            self.init(format: String(parts[0]), name: String(parts[1]))
        } else {
            self.init(format: usual, name: text)
        }
    }
}
