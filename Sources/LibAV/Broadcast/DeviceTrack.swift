import CLibAV

/// One device's track, which goes on while the device is away: a cable that was pulled, a sound server that restarts. A
/// stand-in keeps the broadcast's tracks together until the device can be opened again. Belongs to one thread.
final class DeviceTrack {
    /// Microseconds between two attempts to open a device that has gone.
    static let attemptInterval: Int64 = 2_000_000
    /// A stand-in that is this late, as when the machine was asleep, goes on from now.
    private static let maximumLateness: Int64 = 500_000

    /// What is sent while the device is away.
    struct StandIn {
        /// As in "silence is sent".
        var name: String
        /// Microseconds between two pieces.
        var interval: Int64
        /// Gives one, for a time in microseconds from the capture's start.
        var send: (Int64) throws(LibAVError) -> Void
        /// Hands out what the encoder still holds.
        var finish: () throws(LibAVError) -> Void
    }

    private let name: String
    private let standIn: StandIn
    private let clock: any BroadcastClock
    private let control: BroadcastControl
    private let notify: (String) -> Void
    /// Opens the device anew.
    private let open: () throws(LibAVError) -> DevicePump

    /// - Parameters:
    ///   - name: of the device.
    ///   - notify: gets what a person should know.
    init(
        name: String, standIn: StandIn, clock: any BroadcastClock, control: BroadcastControl,
        notify: @escaping (String) -> Void, open: @escaping () throws(LibAVError) -> DevicePump
    ) {
        self.name = name
        self.standIn = standIn
        self.clock = clock
        self.control = control
        self.notify = notify
        self.open = open
    }

    /// Until the capture is stopped, or the device comes to its end.
    ///
    /// - Parameters:
    ///   - first: the device as it has been opened; a device that gives nothing at all is an error.
    ///   - origin: of the capture, on the clock.
    func run(_ first: DevicePump, origin: Int64) throws(LibAVError) {
        // Given up before the device is opened again: many can be open only once.
        var pump: DevicePump? = first
        while let current = pump {
            pump = nil
            switch try current.run(origin: origin) {
            case .stopped: return
            case .lost(let error):
                notify("\(error); \(standIn.name) until it is back")
                try outlast(current.route)
            }
            pump = try bridge(from: origin)
            if pump != nil { notify("\(name) is back") }
        }
        try standIn.finish()
    }

    /// What the decoder still holds belongs to what has been lost.
    private func outlast(_ route: any BroadcastRoute) throws(LibAVError) { try route.accept(nil, shift: 0) }

    /// - Returns: the device, open again; `nil` where the capture is to stop.
    private func bridge(from origin: Int64) throws(LibAVError) -> DevicePump? {
        var time = clock.now - origin
        var nextAttempt = time + Self.attemptInterval
        while clock.wait(until: origin + time, control) {
            let now = clock.now - origin
            if now >= nextAttempt {
                do throws(LibAVError) { return try open() } catch { nextAttempt = now + Self.attemptInterval }
            }
            if now - time > Self.maximumLateness { time = now }
            try standIn.send(time)
            time += standIn.interval
        }
        return nil
    }
}
