import CLibAV
import Glibc
package import LibAV

/// The capture devices of this machine.
public struct CaptureDeviceListing: Hashable, Sendable {
    /// One device.
    public struct Entry: Hashable, Sendable {
        /// The device, as ``BroadcastSource`` takes it.
        public var device: CaptureDevice
        /// A human-readable name, such as "HD Webcam C270".
        public var title: String
        /// True if the device is the system's default of its kind.
        public var isDefault: Bool

        /// Creates an entry with a human-readable title.
        public init(device: CaptureDevice, title: String, isDefault: Bool) {
            self.device = device
            self.title = title
            self.isDefault = isDefault
        }
    }

    /// The cameras of Video4Linux.
    public var cameras: [Entry] = []
    /// The microphones of PulseAudio, or of ALSA if there is no PulseAudio.
    public var microphones: [Entry] = []
    /// The screen of the X server; at most one.
    public var screens: [Entry] = []

    /// Creates an empty listing.
    public init() {}

    private static let maximumDeviceCount = 64

    /// Lists the devices that libavdevice finds. Takes a moment.
    ///
    /// - Parameter display: The X server's display; `nil` if there is none.
    package static func read(display: String?) throws(LibAVError) -> CaptureDeviceListing {
        let devices = try LibAVRuntime.loadDevices()
        antena_av_quiet_this_thread()
        var listing = CaptureDeviceListing()
        listing.cameras = list("v4l2", devices)
        // If PulseAudio or PipeWire runs, it holds ALSA's devices.
        let pulse = list("pulse", devices).filter { !$0.device.name.hasSuffix(".monitor") }
        let alsa = list("alsa", devices).filter { !isPlugIn($0.device.name) }
        listing.microphones = pulse.isEmpty ? alsa : pulse
        if let display, !display.isEmpty {
            let device = CaptureDevice(format: "x11grab", name: display)
            listing.screens = [Entry(device: device, title: "screen \(display)", isDefault: true)]
        }
        return listing
    }

    /// Returns whether an ALSA name is a plug-in. ALSA lists plug-ins beside the sound cards; "null" is silence for
    /// ever.
    static func isPlugIn(_ name: String) -> Bool {
        ["null", "lavrate", "samplerate", "speexrate", "speex", "jack", "oss", "pulse", "upmix", "vdownmix"]
            .contains(name)
    }

    private static func list(_ format: String, _ devices: AntenaAVDeviceFunctions) -> [Entry] {
        guard let input = libav.av_find_input_format(format) else { return [] }
        var list: UnsafeMutablePointer<AVDeviceInfoList>?
        defer { devices.avdevice_free_list_devices(&list) }
        guard devices.avdevice_list_input_sources(input, nil, nil, &list) >= 0, let list else { return [] }
        let count = min(maximumDeviceCount, Int(list.pointee.nb_devices))
        return (0..<count).compactMap { index in
            guard let info = list.pointee.devices[index], let name = info.pointee.device_name else { return nil }
            let title = info.pointee.device_description.map { String(cString: $0) } ?? String(cString: name)
            return Entry(
                device: CaptureDevice(format: format, name: String(cString: name)), title: title,
                isDefault: index == Int(list.pointee.default_device))
        }
    }
}
