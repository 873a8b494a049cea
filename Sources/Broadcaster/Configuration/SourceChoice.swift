package import Capture
import Foundation

/// The source that the command line selects.
package struct SourceChoice: Sendable {
    /// A camera by name, or "default"; `nil` if none is requested.
    package var camera: String?
    /// A microphone by name, or "default"; `nil` if none is requested.
    package var microphone: String?
    /// An X display, empty for the current one; `nil` if none is requested.
    package var screen: String?
    /// The path of a file; `nil` if none is requested.
    package var file: String?
    /// True if the file is repeated.
    package var isRepeated = false
    package var usesTestCard = false
    package var usesStandardInput = false
    /// True to send video only.
    package var isSilent = false
    /// True to send audio only.
    package var isBlind = false

    /// Creates a choice of the default camera and microphone.
    package init() {}

    /// Finds the devices and returns the source.
    ///
    /// - Parameters:
    ///   - title: The channel's title, for the test card.
    ///   - environment: The environment variables, for the X server's display.
    ///   - devices: Lists the devices; called only if needed.
    /// - Throws: ``BroadcastError`` if flags exclude each other, or a device is missing.
    package func source(
        title: String, environment: [String: String],
        devices: (_ display: String?) throws(BroadcastError) -> CaptureDeviceListing = {
            display throws(BroadcastError) in try Broadcast.devices(display: display)
        }
    ) throws(BroadcastError) -> BroadcastSource {
        let videos = [camera != nil, screen != nil, file != nil, usesTestCard, usesStandardInput]
        guard videos.count(where: { $0 }) <= 1 else {
            throw BroadcastError(
                .usage, "only one of --camera, --screen, --file, --test-card and --standard-input can be given")
        }
        if let file {
            try Self.check(file: file)
            return .file(path: file, isRepeated: isRepeated)
        }
        if usesStandardInput { return .standardInput }
        guard !isBlind || !isSilent else {
            throw BroadcastError(.usage, "--no-video and --no-audio together leave nothing to send")
        }
        let display = environment["DISPLAY"]
        let listing = usesTestCard && microphone == nil ? CaptureDeviceListing() : try devices(display)
        let video = isBlind ? nil : try videoDevice(title: title, listing, display: display)
        let audio = isSilent ? nil : try audioDevice(listing)
        guard video != nil || isBlind else {
            throw BroadcastError(
                .source, "no camera found; try --screen, --test-card or --file, or --no-video for audio only")
        }
        guard video != nil || audio != nil else {
            throw BroadcastError(
                .source, "no microphone found; 'antena broadcast sources' lists the devices of this machine")
        }
        return .devices(video: video, audio: audio)
    }

    private static func check(file: String) throws(BroadcastError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
            throw BroadcastError(.source, "the file \(file) does not exist")
        }
        guard !isFolder.boolValue else { throw BroadcastError(.source, "\(file) is a folder, not a file") }
    }

    private func videoDevice(
        title: String, _ listing: CaptureDeviceListing, display: String?
    ) throws(BroadcastError) -> BroadcastSource.VideoDevice? {
        if usesTestCard { return .testCard(title: Self.plainCapitals(title)) }
        if let screen {
            let name = screen.isEmpty ? display : screen
            guard let name, !name.isEmpty else {
                throw BroadcastError(.source, "no screen found: DISPLAY is not set; name one like --screen :0")
            }
            return .screen(CaptureDevice(parsing: name, usual: "x11grab"))
        }
        if let camera, camera != "default" {
            let device = CaptureDevice(parsing: camera, usual: "v4l2")
            if device.format == "v4l2", !FileManager.default.fileExists(atPath: device.name) {
                throw BroadcastError(
                    .source, "there is no camera \(camera); \(Self.list(listing.cameras, of: "cameras"))")
            }
            return .camera(device)
        }
        let usual = listing.cameras.first { $0.isDefault } ?? listing.cameras.first
        guard usual != nil || camera == nil else {
            throw BroadcastError(.source, "no camera found; try --test-card, --screen or --file")
        }
        return usual.map { .camera($0.device) }
    }

    private func audioDevice(
        _ listing: CaptureDeviceListing
    ) throws(BroadcastError) -> BroadcastSource.AudioDevice? {
        if let microphone, microphone != "default" {
            let usual = listing.microphones.first?.device.format ?? "alsa"
            return .microphone(CaptureDevice(parsing: microphone, usual: usual))
        }
        if usesTestCard, microphone == nil { return .testTone }
        let usual = listing.microphones.first { $0.isDefault } ?? listing.microphones.first
        guard usual != nil || microphone == nil else {
            throw BroadcastError(.source, "no microphone found; use --no-audio to send video only")
        }
        return usual.map { .microphone($0.device) }
    }

    private static func list(_ entries: [CaptureDeviceListing.Entry], of what: String) -> String {
        guard !entries.isEmpty else { return "this machine has no \(what)" }
        return "there are " + entries.map { "\($0.device.name) (\($0.title))" }.joined(separator: ", ")
    }

    /// Reduces a text to the letters of the test card's font.
    static func plainCapitals(_ text: String) -> String {
        text.folding(options: .diacriticInsensitive, locale: nil).uppercased()
    }
}
