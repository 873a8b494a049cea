import CLibAV
import Glibc

/// libav's functions. Null until ``LibAVRuntime/load()`` has succeeded, so whoever makes the first libav object of a
/// kind calls that first.
///
/// Safe to share: the table is written once, before the first successful `load()` returns, and never again.
let libav: AntenaAVFunctions = antena_av_functions().pointee

/// The shared libraries behind this target.
package enum LibAVRuntime {
    /// Loads libavformat and what it needs, once; takes about 30 ms and 26 MB. So worker processes call it, and a
    /// server only when it is pushed something that has to be transcoded.
    ///
    /// Throws ``LibAVError`` with code `libraryMissing` and the name of the Debian package to install.
    package static func load() throws(LibAVError) {
        var message = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        guard antena_av_load(&message, message.count) == 0 else {
            throw LibAVError(.libraryMissing, file: nil, String(terminatedCharacters: message))
        }
    }

    /// libavdevice, so that cameras, microphones and screens can be opened. Only a broadcaster needs it.
    ///
    /// Throws ``LibAVError`` with code `libraryMissing` and the name of the Debian package to install.
    static func loadDevices() throws(LibAVError) -> AntenaAVDeviceFunctions {
        try load()
        var message = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        guard antena_av_load_devices(&message, message.count) == 0 else {
            throw LibAVError(.libraryMissing, file: nil, String(terminatedCharacters: message))
        }
        return antena_av_device_functions().pointee
    }

    /// libavformat's version, as "59.27.100". Only after ``load()``.
    package static var version: String {
        let version = libav.avformat_version()
        return "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    }

    /// Loads the libraries where they are not loaded yet; false also where they are missing.
    package static func hasVideoEncoder(named name: String) -> Bool {
        guard (try? load()) != nil, let codec = libav.avcodec_find_encoder_by_name(name) else { return false }
        return codec.pointee.type == AVMEDIA_TYPE_VIDEO
    }

    /// Protections of worker processes that this kernel lacks, in words for people; empty on an ordinary one.
    package static var missingConfinement: [String] {
        var missing: [String] = []
        if antena_can_confine_files() == 0 { missing.append("Landlock (workers can read and change the user's files)") }
        if antena_can_filter_calls() == 0 { missing.append("seccomp filters (workers can start programs and connect)") }
        return missing
    }

    /// See `antena_confine`: for the rest of its life this process opens no files but these, and gets no new privileges,
    /// sockets or programs. Needs no ``load()``.
    ///
    /// - Parameter more: what a device's driver needs.
    /// - Returns: `nil`, or the reason when the process cannot be confined. It must not go on then.
    package static func confine(
        readable: String?, writableFolder: String?, more: FileConfinement = FileConfinement()
    ) -> String? {
        // Counted before: confined, it can no longer be.
        let threadCount = antena_thread_count()
        switch withStrings(readable, writableFolder, more, antena_confine) {
        case 0: return nil
        case EBUSY where threadCount > 1: return "the process has \(threadCount) threads already"
        case let code: return String(cString: strerror(code))
        }
    }

    /// See `antena_confine_files`: this thread, and those that it starts, open nothing else any more.
    ///
    /// - Returns: 0, or an `errno`.
    static func confineFiles(
        readable: String?, writableFolder: String?, more: FileConfinement = FileConfinement()
    ) -> Int32 {
        withStrings(readable, writableFolder, more, antena_confine_files)
    }

    private typealias Strings = UnsafePointer<UnsafePointer<CChar>?>

    private static func withStrings(
        _ readable: String?, _ writableFolder: String?, _ more: FileConfinement,
        _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, Strings?, Strings?) -> Int32
    ) -> Int32 {
        let more = (readable: more.readable.map { strdup($0) }, writable: more.writable.map { strdup($0) })
        let file = readable.map { strdup($0) } ?? nil
        let folder = writableFolder.map { strdup($0) } ?? nil
        defer { for string in more.readable + more.writable + [file, folder] { free(string) } }
        return body(
            file, folder, more.readable.map { UnsafePointer($0) } + [nil],
            more.writable.map { UnsafePointer($0) } + [nil])
    }

    /// The last error that libav logged since ``forgetMessages()``, which says more than its error codes.
    static var lastMessage: String? {
        var message = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        antena_av_last_message(&message, message.count)
        let text = String(terminatedCharacters: message)
        return text.isEmpty ? nil : text
    }

    static func forgetMessages() { antena_av_forget_messages() }
}

extension String {
    /// From a C string in a buffer of our own; bytes that are not UTF-8 become U+FFFD.
    init(terminatedCharacters characters: [CChar]) {
        self.init(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
