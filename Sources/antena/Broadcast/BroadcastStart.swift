import ArgumentParser
import Broadcaster
import Foundation

struct BroadcastStart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Push until Ctrl-C, q, or the end of the file.",
        discussion: "Without a source, the first camera and the first microphone of this machine are used.")

    @OptionGroup var options: ProfileOptions

    @Option(help: ArgumentHelp("A camera: /dev/video0, or FORMAT:NAME of libavdevice.", valueName: "device"))
    var camera: String?

    @Option(help: ArgumentHelp("A microphone, by the name that 'sources' lists.", valueName: "device"))
    var microphone: String?

    @Option(help: ArgumentHelp("A screen of the X server, such as :0.", valueName: "display"))
    var screen: String?

    @Option(
        help: ArgumentHelp(
            "A file, sent in real time; copied without re-encoding if it fits the preset.", valueName: "path"),
        completion: .file())
    var file: String?

    @Flag(help: "Repeat the file endlessly.")
    var loop = false

    @Flag(help: "Colour bars with the channel's name, a clock and a tone.")
    var testCard = false

    @Flag(help: "Read media from standard input.")
    var standardInput = false

    @Flag(help: "Push video without audio.")
    var noAudio = false

    @Flag(help: "Push audio without video.")
    var noVideo = false

    /// The former name of `--no-audio`.
    @Flag(help: .hidden)
    var noSound = false

    /// The former name of `--no-video`.
    @Flag(help: .hidden)
    var noPicture = false

    @Option(help: "Where to show a preview: none, terminal, or http://127.0.0.1:PORT for a web page.")
    var preview: String?

    @Option(help: "The H.264 encoder, by its name in libav. (default: libx264)")
    var encoder: String?

    @Option(help: "The preset of libx264, a trade-off between CPU time and quality. (default: veryfast)")
    var encoderSpeed: String?

    @Option(help: "Stop after this many seconds.")
    var duration: Double?

    @Flag(help: "Wait until the server answers.")
    var wait = false

    @Flag(help: "Keep the preset's bit rate even if the network is too slow for it.")
    var fixedRate = false

    @Flag(help: "Accept any certificate with rtsps.")
    var anyCertificate = false

    @Flag(help: "Print lines of JSON.")
    var json = false

    func run() async throws {
        try await BroadcastCommand.exiting(asJSON: json) {
            let isInteractive = Terminal.isInteractive && !json
            var plan = BroadcastPlan(profile: try options.resolved(), source: source)
            plan.encoderName = encoder
            plan.encoderSpeed = encoderSpeed
            plan.acceptsAnyCertificate = anyCertificate
            let choice = try BroadcastPlan.PreviewChoice(parsing: preview ?? (isInteractive ? "terminal" : "none"))
            guard choice != .terminal || isInteractive else {
                throw BroadcastError(
                    .usage, "there is no terminal to show a preview on; use --preview none or http://…")
            }
            let console = BroadcastConsole(
                style: json ? .json : isInteractive ? .interactive : .plain, preview: choice, duration: duration)
            var (settings, observer) = try await plan.settings(
                environment: ProcessInfo.processInfo.environment,
                onWait: wait ? { console.say("waiting: \($0.reason)") } : nil)
            settings.adaptsBitRate = !fixedRate
            do {
                _ = try await console.run(settings, observer: observer)
            } catch let error as BroadcastError {
                throw await error.explained(by: plan.profile)
            }
        }
    }

    private var source: SourceChoice {
        var choice = SourceChoice()
        choice.camera = camera
        choice.microphone = microphone
        choice.screen = screen
        choice.file = file
        choice.isRepeated = loop
        choice.usesTestCard = testCard
        choice.usesStandardInput = standardInput
        choice.isSilent = noAudio || noSound
        choice.isBlind = noVideo || noPicture
        return choice
    }
}
