import CLibAV
import Glibc

/// A thread for decoding and encoding, which block and take stack.
enum MediaThread {
    /// Decoders keep tables of some 100 KB there; without this each thread would reserve the process's 8 MB.
    private static let stackByteCount = 2 * 1_024 * 1_024

    private final class Body {
        let name: String
        let run: () -> Void

        init(name: String, run: @escaping () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// - Parameters:
    ///   - name: of at most 15 characters, for `top` and debuggers.
    ///   - run: called on the thread; the thread frees itself at its end.
    /// - Returns: false where the system has no more threads.
    static func start(name: String, run: sending @escaping () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackByteCount)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { opaque in
                if let opaque {
                    let body = Unmanaged<Body>.fromOpaque(opaque).takeRetainedValue()
                    antena_name_this_thread(body.name)
                    body.run()
                }
                return nil
            }, body.toOpaque())
        if result != 0 { body.release() }
        return result == 0
    }
}
