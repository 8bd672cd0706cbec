class Grid {
public:
    Grid(int n) : n_(n) { data_ = new int[n]; }
    ~Grid() { delete[] data_; }
    __device__ int at(int i) const { return data_[i]; }
    template <typename F> void each(F f) { for (int i = 0; i < n_; i++) f(data_[i]); }
private:
    int n_, *data_;
    friend std::ostream &operator<<(std::ostream &, const Grid &);
};
__global__ void use(Grid g, int *y) { y[0] = g.at(1); }
struct op { __device__ float operator()(float a, float b) const { return a + b; } };
