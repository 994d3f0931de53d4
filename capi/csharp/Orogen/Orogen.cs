// Orogen for C# and Unity, over the shared library. Add the files of this folder and the library (orogen.dll, liborogen.so or
// liborogen.dylib) to a project; in Unity, place both below Assets/Plugins. Requires .NET Standard 2.1: .NET Core 3, Mono 6 or
// Unity 2021.2, and later versions.
//
// Every function of include/orogen.h has a method here, except those that bake worlds, and the header documents them in detail.
// Errors are thrown as OrogenException. Results are written to memory of the caller: arrays, spans or, for layers, pointers.
// After its first call on a thread, a method allocates nothing, unless it returns a string, an array or an object. All methods
// can be called from any thread; an object that is disposed while another thread uses it is freed after that call.

using System.Runtime.InteropServices;

namespace Orogen
{
    /// <summary>Version of the library.</summary>
    public static class Library
    {
        public static string Version { get { return Marshal.PtrToStringAnsi(Native.orogen_version()); } }
    }
}
