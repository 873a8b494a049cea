package import CLibAV
import Glibc

/// libav's functions. They are null until ``LibAVRuntime/load()`` has succeeded, so code that creates libav objects
/// calls that first.
///
/// Safe to share: the table is written once, before the first successful `load()` returns, and never again.
package let libav: AntenaAVFunctions = antena_av_functions().pointee

/// The shared libraries that this target loads at run time.
package enum LibAVRuntime {
    /// Loads libavformat and its dependencies once; this takes about 30 ms and 26 MB. Worker processes call it; a
    /// server calls it only when a publisher sends a codec that has to be transcoded.
    ///
    /// Throws ``LibAVError`` with code `libraryMissing` and the name of the Debian package to install.
    package static func load() throws(LibAVError) {
        var message = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        guard antena_av_load(&message, message.count) == 0 else {
            throw LibAVError(.libraryMissing, file: nil, String(terminatedCharacters: message))
        }
    }

    /// Loads libavdevice, which opens cameras, microphones and screens. Only a broadcaster needs it.
    ///
    /// Throws ``LibAVError`` with code `libraryMissing` and the name of the Debian package to install.
    package static func loadDevices() throws(LibAVError) -> AntenaAVDeviceFunctions {
        try load()
        var message = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        guard antena_av_load_devices(&message, message.count) == 0 else {
            throw LibAVError(.libraryMissing, file: nil, String(terminatedCharacters: message))
        }
        return antena_av_device_functions().pointee
    }

    /// libavformat's version, such as "59.27.100". Requires a successful ``load()``.
    package static var version: String {
        let version = libav.avformat_version()
        return "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    }

    /// Returns whether libav has a video encoder with this name. Loads the libraries if needed; returns false if they
    /// are missing, too.
    package static func hasVideoEncoder(named name: String) -> Bool {
        guard (try? load()) != nil, let codec = libav.avcodec_find_encoder_by_name(name) else { return false }
        return codec.pointee.type == AVMEDIA_TYPE_VIDEO
    }

    /// Returns whether libav has an encoder with this name. Loads the libraries if needed; returns false if they are
    /// missing, too.
    package static func hasEncoder(named name: String) -> Bool {
        (try? load()) != nil && libav.avcodec_find_encoder_by_name(name) != nil
    }

    /// Returns whether libav has a decoder with this name. Loads the libraries if needed; returns false if they are
    /// missing, too.
    package static func hasDecoder(named name: String) -> Bool {
        (try? load()) != nil && libav.avcodec_find_decoder_by_name(name) != nil
    }

    /// The protections of worker processes that this kernel lacks, in human-readable form; empty on an ordinary kernel.
    package static var missingConfinement: [String] {
        var missing: [String] = []
        if antena_can_confine_files() == 0 { missing.append("Landlock (workers can read and change the user's files)") }
        if antena_can_filter_calls() == 0 { missing.append("seccomp filters (workers can start programs and connect)") }
        return missing
    }

    /// Confines this process for the rest of its life (see `antena_confine`): it opens no files but these, and gets no
    /// new privileges, sockets or programs. Does not need ``load()``.
    ///
    /// - Parameters:
    ///   - readable: A file that may be read; `nil` for none.
    ///   - writableFolder: A folder in which files may be read and written; `nil` for none.
    ///   - more: Additional files and folders, such as those that a device's driver needs.
    /// - Returns: `nil`, or the reason if the process cannot be confined. It must not go on then.
    package static func confine(
        readable: String?, writableFolder: String?, more: FileConfinement = FileConfinement()
    ) -> String? {
        // Counted first, because a confined process cannot read /proc.
        let threadCount = antena_thread_count()
        switch withStrings(readable, writableFolder, more, antena_confine) {
        case 0: return nil
        case EBUSY where threadCount > 1: return "the process has \(threadCount) threads already"
        case let code: return String(cString: strerror(code))
        }
    }

    /// Restricts this thread, and threads that it starts, to the given files and folders (see `antena_confine_files`).
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

    /// The last error that libav logged since ``clearMessages()``, which says more than its error codes.
    package static var lastMessage: String? {
        var message = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        antena_av_last_message(&message, message.count)
        let text = String(terminatedCharacters: message)
        return text.isEmpty ? nil : text
    }

    /// Clears ``lastMessage``.
    package static func clearMessages() { antena_av_forget_messages() }
}

extension String {
    /// Decodes a null-terminated C string from a Swift buffer; bytes that are not UTF-8 become U+FFFD.
    init(terminatedCharacters characters: [CChar]) {
        self.init(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
